import type { NodeStatus } from "../../lib/api/mod.ts";
import type { NodeTable } from "./node_table.ts";
import { type Counts, countsOf, isProgress } from "./progress_text.ts";

/**
 * How much of every node is done, and of all that hangs below it, each node once. It is summed up once; after that only what
 * changed is added to what lies above it, as long as no node that was there got a new place.
 */
export class ProgressSums {
  /** Of all nodes together. */
  whole: Counts = NOTHING;
  #table: NodeTable | undefined;
  #mark = 0;
  /** Of the nodes that count themselves, and of the others, which count what is below them; each node is in one of the two. */
  readonly #own = new Map<string, Counts>();
  readonly #below = new Map<string, Counts>();
  readonly #children = new Map<string, readonly string[]>();
  readonly #parents = new Map<string, string[]>();

  /** Takes in what changed; answers the nodes whose sum may be another now. */
  update(table: NodeTable): Iterable<string> {
    const changed = table === this.#table ? table.log.since(this.#mark) : undefined;
    this.#table = table;
    this.#mark = table.log.mark;
    return (changed && this.#follow(table, changed)) ?? this.#sumUp(table);
  }

  /** What a node has done. */
  of(id: string): Counts {
    return this.#own.get(id) ?? this.#below.get(id) ?? NOTHING;
  }

  /** Sums up everything. */
  #sumUp(table: NodeTable): Iterable<string> {
    for (const map of [this.#own, this.#below, this.#children, this.#parents]) map.clear();
    this.whole = NOTHING;
    const nodes = [...table.all()];
    for (const node of nodes) {
      this.#hang(node, 0);
      if (countsItself(node)) this.#count(node);
    }
    // From the last on: what is below a node came after it, and so is known when it is asked for.
    const known = new Map<string, Counts>();
    for (const node of nodes.toReversed()) {
      if (!countsItself(node)) this.#below.set(node.id, this.#sumBelow(table, node, known));
    }
    return table.ids();
  }

  /** Adds what changed; undefined where a node is gone, or one that was there got a new place: that takes a new sum. */
  #follow(table: NodeTable, changed: ReadonlySet<string>): Iterable<string> | undefined {
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
      if (added.has(node.id) && !countsItself(node)) this.#below.set(node.id, NOTHING);
    }
    const touched = new Set(changed);
    let steps = this.#children.size;
    for (const node of nodes) {
      if (!countsItself(node)) continue;
      const more = this.#count(node);
      if (more.done === 0 && more.total === 0) continue;
      for (const id of this.#above(node.id)) {
        if (steps-- === 0) return undefined; // Summing up everything is less work.
        const sum = this.#below.get(id);
        if (!sum) continue;
        this.#below.set(id, plus(sum, more));
        touched.add(id);
      }
    }
    return touched;
  }

  /** Whether a node counts in another way than before. */
  #isOther(node: NodeStatus): boolean {
    return this.#children.has(node.id) && this.#own.has(node.id) !== countsItself(node);
  }

  /** Notes the children of a node, from a place in their list on. */
  #hang(node: NodeStatus, from: number): void {
    const children = node.children ?? NONE;
    this.#children.set(node.id, children);
    for (let place = from; place < children.length; place++) {
      const parents = this.#parents.get(children[place]);
      if (parents) parents.push(node.id);
      else this.#parents.set(children[place], [node.id]);
    }
  }

  /** Counts a node that counts itself; answers how much more that is than before. */
  #count(node: NodeStatus): Counts {
    const counts = ownCounts(node);
    const { done, total } = this.#own.get(node.id) ?? NOTHING;
    const more = { done: counts.done - done, total: counts.total - total };
    this.#own.set(node.id, counts);
    this.whole = plus(this.whole, more);
    return more;
  }

  /** All that lies above a node, each once. */
  #above(id: string): Set<string> {
    const above = new Set(this.#parents.get(id));
    for (const one of above) for (const parent of this.#parents.get(one) ?? NONE) above.add(parent);
    return above;
  }

  /** What has a single child has done what that one has, and what is below it. */
  #sumBelow(table: NodeTable, node: NodeStatus, known: Map<string, Counts>): Counts {
    let sum = known.get(node.id);
    if (sum) return sum;
    const only = node.children?.length === 1 ? table.get(node.children[0]) : undefined;
    if (only) sum = plus(this.#own.get(only.id) ?? NOTHING, this.#sumBelow(table, only, known));
    else sum = this.#sumOfAll(table, node);
    known.set(node.id, sum);
    return sum;
  }

  #sumOfAll(table: NodeTable, node: NodeStatus): Counts {
    const below = new Set(node.children);
    let done = 0;
    let total = 0;
    for (const id of below) {
      const own = this.#own.get(id);
      if (own) {
        done += own.done;
        total += own.total;
      }
      for (const next of table.get(id)?.children ?? NONE) below.add(next);
    }
    return { done, total };
  }
}

const NOTHING: Counts = { done: 0, total: 0 };
const NONE: readonly string[] = [];
const COUNTED: ReadonlySet<NodeStatus["type"]> = new Set(["Pod", "HTTP", "Plugin", "Container", "Suspend"]);

/** Whether a node is something to do, not a group of such. */
export function countsItself({ type }: NodeStatus): boolean {
  return COUNTED.has(type);
}

/** What a node has reported, all of it once the node is done. One that has reported nothing sensible is one thing to do. */
function ownCounts({ progress, phase }: NodeStatus): Counts {
  const { done, total } = isProgress(progress) ? countsOf(progress)! : { done: 0, total: 1 };
  const isDone = phase === "Succeeded" || phase === "Skipped" || phase === "Omitted";
  return { done: isDone ? total : done, total };
}

function plus(some: Counts, more: Counts): Counts {
  return { done: some.done + more.done, total: some.total + more.total };
}
