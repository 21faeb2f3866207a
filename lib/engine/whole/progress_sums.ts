/**
 * Sums that are kept between passes: how much there is to do, how much of that is done, and the resources that pods
 * held meanwhile.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { countsOf, isPassedOver, isProgress, nodeTypesOf } from "@tiphys/model/status";
import type { Nodes } from "../nodes/node_table.ts";
import { addDurations, type Durations, subtractDurations } from "../nodes/resources_duration.ts";

/** The sum over some nodes: how much there is to do, how much of that is done, and the resources that pods held. */
export interface Sum {
  readonly done: number;
  readonly total: number;
  /** Undefined where no pod has ended. */
  readonly held?: Durations;
}

/** A sum that grows in place. What pods held is another object each time: statuses keep it. */
interface RunningSum {
  done: number;
  total: number;
  held?: Durations;
}

/**
 * Keeps the sums of every node and of all that hangs below it, each node counted once. Everything is summed up once;
 * after that only what changed is added to what lies above it, as long as no node that was there got a new place.
 */
export class ProgressSums {
  /** The sum of all nodes together. */
  whole: Sum = NOTHING;
  #table: Nodes | undefined;
  #mark = 0;
  /** The sums that nodes which count themselves have reported, by node ID. */
  readonly #own = new Map<string, Sum>();
  /**
   * The sums of all that is below a node, by the ID of that node; pods are not among them, as nobody asks that of a
   * pod.
   */
  readonly #below = new Map<string, RunningSum>();
  readonly #children = new Map<string, readonly string[]>();
  readonly #parents = new Map<string, string[]>();

  /** Takes in what changed; answers the nodes whose sum may be another now. */
  update(table: Nodes): Iterable<string> {
    const changed = table === this.#table ? table.log.since(this.#mark) : undefined;
    this.#table = table;
    this.#mark = table.log.mark;
    return (changed && this.#follow(table, changed)) ?? this.#sumUp(table);
  }

  /** The progress of a node: its own where it counts itself, else that of all that is below it. */
  of(id: string): Sum {
    return this.#own.get(id) ?? this.#below.get(id) ?? NOTHING;
  }

  /** The resources that the pods below a node held; undefined where none has ended, and for a pod. */
  heldBelow(id: string): Durations | undefined {
    return this.#below.get(id)?.held;
  }

  /** Sums up everything. */
  #sumUp(table: Nodes): Iterable<string> {
    for (const map of [this.#own, this.#below, this.#children, this.#parents]) map.clear();
    this.whole = NOTHING;
    const nodes = [...table.all()];
    for (const node of nodes) {
      this.#hang(node, 0);
      if (countsItself(node)) this.#count(node);
    }
    // The walk goes from the last node on: nodes below another came after it, so their sums are known by then.
    const known = new Map<string, Sum>();
    for (const node of nodes.toReversed()) {
      if (node.type !== "Pod") this.#below.set(node.id, { ...this.#sumBelow(table, node, known) });
    }
    return table.ids();
  }

  /** Adds what changed; undefined where a node is gone, or one that was there got a new place: that takes a new sum. */
  #follow(table: Nodes, changed: ReadonlySet<string>): Iterable<string> | undefined {
    const nodes: NodeStatus[] = [];
    const added = new Set<string>();
    for (const id of changed) {
      const node = table.get(id);
      if (!node || this.#isOther(node)) return undefined;
      nodes.push(node);
      if (!this.#children.has(id)) added.add(id);
    }
    for (const node of nodes) {
      const before = this.#children.get(node.id) ?? NONE;
      const children = node.children ?? NONE;
      if (children !== before) {
        if (before.some((child, place) => child !== children[place])) return undefined;
        if (children.slice(before.length).some((child) => !added.has(child) && this.#children.has(child))) {
          return undefined;
        }
      }
      this.#hang(node, before.length);
      if (added.has(node.id) && node.type !== "Pod") this.#below.set(node.id, { done: 0, total: 0 });
    }
    const touched = new Set(changed);
    let steps = this.#children.size;
    for (const node of nodes) {
      if (!countsItself(node)) continue;
      const more = this.#count(node);
      if (more.done === 0 && more.total === 0 && !more.held) continue;
      for (const id of this.#above(node.id)) {
        if (steps-- === 0) return undefined; // Summing up everything is less work.
        const sum = this.#below.get(id);
        if (!sum) continue;
        add(sum, more);
        touched.add(id);
      }
    }
    return touched;
  }

  /** Whether a node counts in another way than before. */
  #isOther(node: NodeStatus): boolean {
    if (!this.#children.has(node.id)) return false;
    return this.#own.has(node.id) !== countsItself(node) || this.#below.has(node.id) === (node.type === "Pod");
  }

  /** Notes the children of a node, from a place in their list on. */
  #hang(node: NodeStatus, from: number): void {
    const children = node.children ?? NONE;
    this.#children.set(node.id, children);
    for (const child of from === 0 ? children : children.slice(from)) {
      const parents = this.#parents.get(child);
      if (parents) parents.push(node.id);
      else this.#parents.set(child, [node.id]);
    }
  }

  /** Counts a node that counts itself; answers how much more that is than before. */
  #count(node: NodeStatus): Sum {
    const own = ownSum(node);
    const { done, total, held } = this.#own.get(node.id) ?? NOTHING;
    const more = {
      done: own.done - done,
      total: own.total - total,
      ...(own.held === held ? {} : { held: subtractDurations(own.held, held) }),
    };
    this.#own.set(node.id, own);
    this.whole = plus(this.whole, more);
    return more;
  }

  /** All that lies above a node, each once. */
  #above(id: string): Set<string> {
    const above = new Set(this.#parents.get(id));
    for (const one of above) for (const parent of this.#parents.get(one) ?? NONE) above.add(parent);
    return above;
  }

  /**
   * Sums up what is below a node. For a node with a single child that is the child itself and what is below the child.
   */
  #sumBelow(table: Nodes, node: NodeStatus, known: Map<string, Sum>): Sum {
    let sum = known.get(node.id);
    if (sum) return sum;
    const [child, second] = node.children ?? NONE;
    const only = child !== undefined && second === undefined ? table.get(child) : undefined;
    if (only) sum = plus(this.#own.get(only.id) ?? NOTHING, this.#sumBelow(table, only, known));
    else sum = this.#sumOfAll(table, node);
    known.set(node.id, sum);
    return sum;
  }

  #sumOfAll(table: Nodes, node: NodeStatus): Sum {
    const below = new Set(node.children);
    let done = 0;
    let total = 0;
    let held: Record<string, number> | undefined;
    for (const id of below) {
      const own = this.#own.get(id);
      if (own) {
        done += own.done;
        total += own.total;
        if (own.held) addDurations(held ??= {}, own.held);
      }
      for (const next of table.get(id)?.children ?? NONE) below.add(next);
    }
    return { done, total, ...(held && { held }) };
  }
}

const NOTHING: Sum = { done: 0, total: 0 };
const NONE: readonly string[] = [];
const COUNTED = nodeTypesOf("pod", "member", "agent", "controller");

/** Whether a node is something to do, not a group of such. */
export function countsItself({ type }: NodeStatus): boolean {
  return COUNTED.has(type);
}

/**
 * The progress that a node has reported, all of it done once the node is done, and the resources that a pod held. A
 * node that has reported nothing sensible is one thing to do.
 */
function ownSum({ type, progress, phase, resourcesDuration }: NodeStatus): Sum {
  const { done, total } = isProgress(progress) ? countsOf(progress)! : { done: 0, total: 1 };
  const isDone = phase === "Succeeded" || isPassedOver(phase);
  const held = type === "Pod" ? resourcesDuration : undefined;
  return { done: isDone ? total : done, total, ...(held && { held }) };
}

function add(sum: RunningSum, more: Sum): void {
  sum.done += more.done;
  sum.total += more.total;
  if (more.held) sum.held = addDurations({ ...sum.held }, more.held);
}

function plus(some: Sum, more: Sum): Sum {
  const held = more.held ? addDurations({ ...some.held }, more.held) : some.held;
  return { done: some.done + more.done, total: some.total + more.total, ...(held && { held }) };
}
