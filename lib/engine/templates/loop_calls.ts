/** The calls of a loop, and which of them a pass must visit. */
import type { NodeStatus } from "@tiphys/model/api";
import { isOver } from "@tiphys/model/status";
import type { Slice } from "../slice.ts";
import { NodesWithWorkReader, reusableOutcomes } from "./reusable_outcomes.ts";

/**
 * The result of visiting a call: true if it can be skipped until its node changes, `open` if the next pass must visit
 * it again, `blocks` if no later call may start, false if the pass visits no other call of the loop.
 */
export type CallState = boolean | "open" | "blocks";

/**
 * Tracks the calls of a loop and which of them a pass must visit, so that a large loop costs a pass only its changes.
 * It is derived from the nodes; a new instance visits all calls.
 */
export class LoopCalls {
  /** The IDs of the nodes of the calls, in order. The ID of a call without a node may be given to another node. */
  readonly #ids: string[];
  readonly #names: readonly string[] | undefined;
  /** The indexes of the calls, by node ID. */
  readonly #indexes: Map<string, number>;
  readonly #nodesWithWork: NodesWithWorkReader;
  /** The indexes of the calls that every pass must visit. */
  readonly #open: Set<number>;
  /** The indexes of the calls that wait until another pod may be requested. */
  readonly #waitingForPod = new OrderedIndexes();
  /** The indexes of the calls that may not start yet. */
  readonly #blocked = new OrderedIndexes();

  /** `names` of the nodes are required if some of them do not exist yet. */
  constructor(pass: Slice, ids: readonly string[], names?: readonly string[]) {
    this.#ids = [...ids];
    this.#names = names;
    this.#nodesWithWork = new NodesWithWorkReader(pass);
    this.#indexes = new Map(ids.map((id, index) => [id, index]));
    this.#open = new Set(ids.keys());
  }

  /** Reports whether a call has changed since the last call or visit, and marks changed calls as open. */
  openChangedCalls(pass: Slice): boolean {
    const nodesWithWork = this.#nodesWithWork.next(pass);
    let hasChanged = false;
    const open = (index: number | undefined) => {
      if (index === undefined) return;
      this.#open.add(index);
      hasChanged = true;
    };
    if (nodesWithWork && nodesWithWork.size <= this.#ids.length) {
      for (const id of nodesWithWork) open(this.#indexes.get(id));
    } else for (const [index, id] of this.#ids.entries()) if (!nodesWithWork || nodesWithWork.has(id)) open(index);
    return hasChanged;
  }

  /**
   * Visits, in order, the calls that may have work: those that are open or have changed, and waiting ones as long as
   * pods may be requested. If a call may not start, no later one may. Returns false if a visit returned false or
   * `blocks`. Open calls that were not visited remain open; started calls are still visited after `blocks`.
   */
  visitDue(pass: Slice, visit: (index: number) => CallState): boolean {
    this.openChangedCalls(pass);
    // In the same order as in a pass without a cache.
    const due = [...this.#open].sort((a, b) => a - b);
    const waitingForPod = this.#waitingForPod.iterate();
    const blocked = this.#blocked.iterate();
    let dueIndex = 0;
    let isBlocked = false;
    let areAllVisited = true;
    for (;;) {
      const index = Math.min(
        due[dueIndex] ?? Infinity,
        pass.mayRequestPod ? waitingForPod.next : Infinity,
        isBlocked ? Infinity : blocked.next,
      );
      if (index === Infinity) break;
      if (index === due[dueIndex]) dueIndex++;
      if (index === waitingForPod.next) waitingForPod.advance();
      if (index === blocked.next) blocked.advance();
      const exists = this.nodeAt(pass, index) !== undefined;
      const state = !exists && isBlocked || visit(index);
      if (state === false) {
        this.#open.add(index);
        areAllVisited = false;
        break;
      }
      isBlocked = this.#classify(pass, index) === "blocked" || isBlocked;
      if (state === true) continue;
      this.#open.add(index);
      if (state === "open") continue;
      isBlocked = true;
      areAllVisited = false;
    }
    if (this.#waitingForPod.size && !pass.mayRequestPod) pass.waitFor("room");
    return areAllVisited;
  }

  /** Whether some calls have no node yet because they may not start. */
  get holdsBack(): boolean {
    return this.#blocked.size > 0;
  }

  /** The node of a call; undefined if it does not exist. */
  nodeAt(pass: Slice, index: number): NodeStatus | undefined {
    const id = this.#ids[index];
    const node = id === undefined ? undefined : pass.draft.nodes.get(id);
    const name = this.#names?.[index];
    if (!node || name === undefined || node.name === name) return node;
    return pass.draft.nodes.get(this.#ids[index] = pass.draft.nodes.idOf(name));
  }

  /** The nodes of all calls, in order; undefined for a call without a node. */
  nodes(pass: Slice): (NodeStatus | undefined)[] {
    return this.#ids.map((_, index) => this.nodeAt(pass, index));
  }

  /** Updates the sets that contain a call. */
  #classify(pass: Slice, index: number): "blocked" | undefined {
    const node = this.nodeAt(pass, index);
    // Two calls of a loop may have the same default ID, which belongs to the call whose node was created first.
    if (node) this.#indexes.set(node.id, index);
    const kind = !node ? this.#kindWithoutNode(pass, index) : isOver(node) ? "over" : this.#kindOf(pass, node.id);
    if (kind === "open") this.#open.add(index);
    else this.#open.delete(index);
    this.#waitingForPod.setMembership(index, kind === "room");
    this.#blocked.setMembership(index, kind === "blocked");
    return kind === "blocked" ? kind : undefined;
  }

  /** A call that requested locks may start when it gets them, and does not block others. */
  #kindWithoutNode(pass: Slice, index: number): "open" | "blocked" {
    return pass.draft.hasRequestedLocks(this.#ids[index]!) ? "open" : "blocked";
  }

  /**
   * The kind of a call whose node is unfinished. Calls that only wait for the limit on pods are visited in order while
   * pods may be requested; those that wait for other limits are visited individually.
   */
  #kindOf(pass: Slice, id: string): "open" | "room" | "reusable" {
    const reusable = pass.cache(reusableOutcomes).get(id);
    if (!reusable) return "open";
    if (reusable.limits.size === 0) return "reusable";
    return reusable.limits.size === 1 && reusable.limits.has("room") ? "room" : "open";
  }
}

/** The calls of loops, by their list of items. */
const loopCallsByItems = () => new WeakMap<readonly unknown[], LoopCalls>();

/** The calls of the loop over `items`. `nameOf` returns the name of an item's node. */
export function loopCallsOf<T>(pass: Slice, items: readonly T[], nameOf: (item: T) => string): LoopCalls {
  const known = pass.cache(loopCallsByItems);
  const calls = pass.nodesWithWork && known.get(items);
  if (calls) return calls;
  const names = items.map(nameOf);
  const created = new LoopCalls(pass, names.map((name) => pass.draft.nodes.idOf(name)), names);
  known.set(items, created);
  return created;
}

/** An ordered set of indexes. */
class OrderedIndexes {
  #indexes = new Set<number>();
  #last = -1;
  #isSorted = true;

  get size(): number {
    return this.#indexes.size;
  }

  /** Adds or removes an index. */
  setMembership(index: number, isIn: boolean): void {
    if (!isIn) return void this.#indexes.delete(index);
    if (this.#indexes.has(index)) return;
    if (index > this.#last) this.#last = index;
    else this.#isSorted = false;
    this.#indexes.add(index);
  }

  /** Iterates in order. Indexes that are added meanwhile are only visited if they are the last. */
  iterate(): { readonly next: number; advance(): void } {
    if (!this.#isSorted) this.#indexes = new Set([...this.#indexes].sort((a, b) => a - b));
    this.#isSorted = true;
    const indexes = this.#indexes.values();
    const take = () => indexes.next().value ?? Infinity;
    let next = take();
    return {
      get next() {
        return next;
      },
      advance: () => next = take(),
    };
  }
}
