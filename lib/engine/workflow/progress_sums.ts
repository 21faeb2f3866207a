/**
 * Sums that are kept between passes: the work of nodes, how much of it is done, and the resource durations of pods.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { isProgress, isSkippedOrOmitted, nodeTypesOf, parseProgress } from "@tiphys/model/status";
import type { Nodes } from "../nodes/node_table.ts";
import { addDurations, type Durations, subtractDurations } from "../nodes/resources_duration.ts";

/** The sum over some nodes: their work, how much of it is done, and the resource durations of their pods. */
export interface Sum {
  readonly done: number;
  readonly total: number;
  /** Undefined where no pod has ended. */
  readonly durations?: Durations;
}

/** A sum that is updated in place. `held` is replaced, never changed, because statuses share it. */
interface RunningSum {
  done: number;
  total: number;
  durations?: Durations;
}

/**
 * Keeps the sum of each node's descendants, each counted once. All nodes are summed up once. After that, only changes
 * are added to the ancestors of changed nodes, unless an existing node was removed or got a new parent.
 */
export class ProgressSums {
  /** The sum of all nodes together. */
  ofWorkflow: Sum = ZERO;
  #table: Nodes | undefined;
  #logPosition = 0;
  /** The sums of the nodes that are counted themselves, by node ID. */
  readonly #ownSums = new Map<string, Sum>();
  /** The sums of descendants, by node ID. Pods are left out because nothing reads theirs. */
  readonly #descendantSums = new Map<string, RunningSum>();
  readonly #children = new Map<string, readonly string[]>();
  readonly #parents = new Map<string, string[]>();

  /** Adds the changes of a table since the last call. Returns the IDs of the nodes whose sums may have changed. */
  update(table: Nodes): Iterable<string> {
    const changed = table === this.#table ? table.log.since(this.#logPosition) : undefined;
    this.#table = table;
    this.#logPosition = table.log.position;
    return (changed && this.#applyChanges(table, changed)) ?? this.#sumUpAll(table);
  }

  /** The progress of a node: its own if it is counted itself, otherwise that of its descendants. */
  sumOf(id: string): Sum {
    return this.#ownSums.get(id) ?? this.#descendantSums.get(id) ?? ZERO;
  }

  /** The resource durations of the pods below a node; undefined if no pod has ended, and for a pod. */
  durationsInside(id: string): Durations | undefined {
    return this.#descendantSums.get(id)?.durations;
  }

  #sumUpAll(table: Nodes): Iterable<string> {
    for (const map of [this.#ownSums, this.#descendantSums, this.#children, this.#parents]) map.clear();
    this.ofWorkflow = ZERO;
    const nodes = [...table.all()];
    for (const node of nodes) {
      this.#recordChildren(node, 0);
      if (isCounted(node)) this.#count(node);
    }
    // In reverse order: nodes are added after their parents, so the sums of children are known first.
    const known = new Map<string, Sum>();
    for (const node of nodes.toReversed()) {
      if (node.type !== "Pod") this.#descendantSums.set(node.id, { ...this.#sumDescendants(table, node, known) });
    }
    return table.ids();
  }

  /** Adds changes. Returns undefined if a node was removed or got a new parent: all nodes must be summed up again. */
  #applyChanges(table: Nodes, changed: ReadonlySet<string>): Iterable<string> | undefined {
    const nodes: NodeStatus[] = [];
    const added = new Set<string>();
    for (const id of changed) {
      const node = table.get(id);
      if (!node || this.#hasChangedKind(node)) return undefined;
      nodes.push(node);
      if (!this.#children.has(id)) added.add(id);
    }
    for (const node of nodes) {
      const before = this.#children.get(node.id) ?? NO_IDS;
      const children = node.children ?? NO_IDS;
      if (children !== before) {
        if (before.some((child, index) => child !== children[index])) return undefined;
        if (children.slice(before.length).some((child) => !added.has(child) && this.#children.has(child))) {
          return undefined;
        }
      }
      this.#recordChildren(node, before.length);
      if (added.has(node.id) && node.type !== "Pod") this.#descendantSums.set(node.id, { done: 0, total: 0 });
    }
    const touched = new Set(changed);
    let steps = this.#children.size;
    for (const node of nodes) {
      if (!isCounted(node)) continue;
      const difference = this.#count(node);
      if (difference.done === 0 && difference.total === 0 && !difference.durations) continue;
      for (const id of this.#ancestors(node.id)) {
        if (steps-- === 0) return undefined; // Summing up everything is less work.
        const sum = this.#descendantSums.get(id);
        if (!sum) continue;
        add(sum, difference);
        touched.add(id);
      }
    }
    return touched;
  }

  /** Whether a node has become, or is no longer, a pod or a node that is counted itself. */
  #hasChangedKind(node: NodeStatus): boolean {
    if (!this.#children.has(node.id)) return false;
    return this.#ownSums.has(node.id) !== isCounted(node) ||
      this.#descendantSums.has(node.id) === (node.type === "Pod");
  }

  /** Records the children of a node, starting at index `from`. */
  #recordChildren(node: NodeStatus, from: number): void {
    const children = node.children ?? NO_IDS;
    this.#children.set(node.id, children);
    for (const child of from === 0 ? children : children.slice(from)) {
      const parents = this.#parents.get(child);
      if (parents) parents.push(node.id);
      else this.#parents.set(child, [node.id]);
    }
  }

  /** Updates the own sum of a node that is counted itself. Returns the difference from its previous sum. */
  #count(node: NodeStatus): Sum {
    const own = ownSum(node);
    const { done, total, durations } = this.#ownSums.get(node.id) ?? ZERO;
    const difference = {
      done: own.done - done,
      total: own.total - total,
      ...(own.durations === durations ? {} : { durations: subtractDurations(own.durations, durations) }),
    };
    this.#ownSums.set(node.id, own);
    this.ofWorkflow = plus(this.ofWorkflow, difference);
    return difference;
  }

  /** The ancestors of a node, each once. */
  #ancestors(id: string): Set<string> {
    const ancestors = new Set(this.#parents.get(id));
    for (const ancestor of ancestors) for (const parent of this.#parents.get(ancestor) ?? NO_IDS) ancestors.add(parent);
    return ancestors;
  }

  /**
   * Sums up the descendants of a node. For a node with a single child, this is the child plus the sum below the child.
   */
  #sumDescendants(table: Nodes, node: NodeStatus, sums: Map<string, Sum>): Sum {
    let sum = sums.get(node.id);
    if (sum) return sum;
    const [child, second] = node.children ?? NO_IDS;
    const only = child !== undefined && second === undefined ? table.get(child) : undefined;
    if (only) sum = plus(this.#ownSums.get(only.id) ?? ZERO, this.#sumDescendants(table, only, sums));
    else sum = this.#sumAllDescendants(table, node);
    sums.set(node.id, sum);
    return sum;
  }

  #sumAllDescendants(table: Nodes, node: NodeStatus): Sum {
    const descendants = new Set(node.children);
    let done = 0;
    let total = 0;
    let held: Record<string, number> | undefined;
    for (const id of descendants) {
      const own = this.#ownSums.get(id);
      if (own) {
        done += own.done;
        total += own.total;
        if (own.durations) addDurations(held ??= {}, own.durations);
      }
      for (const next of table.get(id)?.children ?? NO_IDS) descendants.add(next);
    }
    return { done, total, ...(held && { durations: held }) };
  }
}

const ZERO: Sum = { done: 0, total: 0 };
const NO_IDS: readonly string[] = [];
const COUNTED_TYPES = nodeTypesOf("pod", "member", "agent", "controller");

/** Whether a node is work itself, not a group of nodes. */
export function isCounted({ type }: NodeStatus): boolean {
  return COUNTED_TYPES.has(type);
}

/**
 * The progress that a node has reported, and a pod's resource durations. All of its work is done once the node has
 * succeeded or is skipped. Without valid reported progress, a node counts as `0/1`.
 */
function ownSum({ type, progress, phase, resourcesDuration }: NodeStatus): Sum {
  const { done, total } = isProgress(progress) ? parseProgress(progress)! : { done: 0, total: 1 };
  const isDone = phase === "Succeeded" || isSkippedOrOmitted(phase);
  const held = type === "Pod" ? resourcesDuration : undefined;
  return { done: isDone ? total : done, total, ...(held && { durations: held }) };
}

function add(sum: RunningSum, more: Sum): void {
  sum.done += more.done;
  sum.total += more.total;
  if (more.durations) sum.durations = addDurations({ ...sum.durations }, more.durations);
}

function plus(some: Sum, more: Sum): Sum {
  const held = more.durations ? addDurations({ ...some.durations }, more.durations) : some.durations;
  return { done: some.done + more.done, total: some.total + more.total, ...(held && { durations: held }) };
}
