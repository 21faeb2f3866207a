/**
 * Sums that are kept between passes: the work of nodes, how much of it is done, and the resource durations of pods.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { countsOf, isPassedOver, isProgress, nodeTypesOf } from "@tiphys/model/status";
import type { Nodes } from "../nodes/node_table.ts";
import { addDurations, type Durations, subtractDurations } from "../nodes/resources_duration.ts";

/** The sum over some nodes: their work, how much of it is done, and the resource durations of their pods. */
export interface Sum {
  readonly done: number;
  readonly total: number;
  /** Undefined where no pod has ended. */
  readonly held?: Durations;
}

/** A sum that is updated in place. `held` is replaced, never changed, because statuses share it. */
interface RunningSum {
  done: number;
  total: number;
  held?: Durations;
}

/**
 * Keeps the sum of each node's descendants, each counted once. All nodes are summed up once. After that, only changes are
 * added to the ancestors of changed nodes, unless an existing node was removed or got a new parent.
 */
export class ProgressSums {
  /** The sum of all nodes together. */
  whole: Sum = NOTHING;
  #table: Nodes | undefined;
  #mark = 0;
  /** The own sums of nodes that count themselves, by node ID. */
  readonly #own = new Map<string, Sum>();
  /** The sums of descendants, by node ID. Pods are left out because nothing reads theirs. */
  readonly #below = new Map<string, RunningSum>();
  readonly #children = new Map<string, readonly string[]>();
  readonly #parents = new Map<string, string[]>();

  /** Adds the changes of a table since the last call. Returns the IDs of the nodes whose sums may have changed. */
  update(table: Nodes): Iterable<string> {
    const changed = table === this.#table ? table.log.since(this.#mark) : undefined;
    this.#table = table;
    this.#mark = table.log.mark;
    return (changed && this.#follow(table, changed)) ?? this.#sumUp(table);
  }

  /** The progress of a node: its own if it counts itself, otherwise that of its descendants. */
  of(id: string): Sum {
    return this.#own.get(id) ?? this.#below.get(id) ?? NOTHING;
  }

  /** The resource durations of the pods below a node; undefined if no pod has ended, and for a pod. */
  heldBelow(id: string): Durations | undefined {
    return this.#below.get(id)?.held;
  }

  #sumUp(table: Nodes): Iterable<string> {
    for (const map of [this.#own, this.#below, this.#children, this.#parents]) map.clear();
    this.whole = NOTHING;
    const nodes = [...table.all()];
    for (const node of nodes) {
      this.#hang(node, 0);
      if (countsItself(node)) this.#count(node);
    }
    // In reverse order: nodes are added after their parents, so the sums of children are known first.
    const known = new Map<string, Sum>();
    for (const node of nodes.toReversed()) {
      if (node.type !== "Pod") this.#below.set(node.id, { ...this.#sumBelow(table, node, known) });
    }
    return table.ids();
  }

  /** Adds changes. Returns undefined if a node was removed or got a new parent: all nodes must be summed up again. */
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

  /** Whether a node has become, or is no longer, a pod or a node that counts itself. */
  #isOther(node: NodeStatus): boolean {
    if (!this.#children.has(node.id)) return false;
    return this.#own.has(node.id) !== countsItself(node) || this.#below.has(node.id) === (node.type === "Pod");
  }

  /** Records the children of a node, starting at index `from`. */
  #hang(node: NodeStatus, from: number): void {
    const children = node.children ?? NONE;
    this.#children.set(node.id, children);
    for (const child of from === 0 ? children : children.slice(from)) {
      const parents = this.#parents.get(child);
      if (parents) parents.push(node.id);
      else this.#parents.set(child, [node.id]);
    }
  }

  /** Counts a node that counts itself. Returns the difference from its previous sum. */
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

  /** The ancestors of a node, each once. */
  #above(id: string): Set<string> {
    const above = new Set(this.#parents.get(id));
    for (const one of above) for (const parent of this.#parents.get(one) ?? NONE) above.add(parent);
    return above;
  }

  /**
   * Sums up the descendants of a node. For a node with a single child, this is the child plus the sum below the child.
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

/** Whether a node is work itself, not a group of nodes. */
export function countsItself({ type }: NodeStatus): boolean {
  return COUNTED.has(type);
}

/**
 * The progress that a node has reported, and a pod's resource durations. All of its work is done once the node has succeeded
 * or is skipped. Without valid reported progress, a node counts as `0/1`.
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
