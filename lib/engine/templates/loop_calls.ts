/** The calls of a loop, and which of them a pass must visit. */
import type { NodeStatus } from "@tiphys/model/api";
import { isOver } from "@tiphys/model/status";
import type { Slice } from "../slice.ts";
import { settledNodes, WokenSince } from "./settled_nodes.ts";

/**
 * The result of visiting a call: true if it can be skipped until its node changes, `open` if the next pass must visit it again,
 * `holds` if no later call may start, false if the pass visits no other call of the loop.
 */
export type CallState = boolean | "open" | "holds";

/**
 * Tracks the calls of a loop and which of them a pass must visit, so that a large loop costs a pass only its changes. It is derived
 * from the nodes; a new instance visits all calls.
 */
export class LoopCalls {
  /** The IDs of the nodes of the calls, in order. The ID of a call without a node may be given to another node. */
  readonly #ids: string[];
  readonly #names: readonly string[] | undefined;
  /** The indexes of the calls, by node ID. */
  readonly #places: Map<string, number>;
  readonly #woken: WokenSince;
  /** The indexes of the calls that every pass must visit. */
  readonly #open: Set<number>;
  /** The indexes of the calls that wait for room for their pod. */
  readonly #roomless = new Places();
  /** The indexes of the calls that may not start yet. */
  readonly #held = new Places();

  /** `names` of the nodes are required if some of them do not exist yet. */
  constructor(pass: Slice, ids: readonly string[], names?: readonly string[]) {
    this.#ids = [...ids];
    this.#names = names;
    this.#woken = new WokenSince(pass);
    this.#places = new Map(ids.map((id, place) => [id, place]));
    this.#open = new Set(ids.keys());
  }

  /** Reports whether a call has changed since the last call or visit, and marks changed calls as open. */
  isTouched(pass: Slice): boolean {
    const awake = this.#woken.next(pass);
    let isTouched = false;
    const open = (place: number | undefined) => {
      if (place === undefined) return;
      this.#open.add(place);
      isTouched = true;
    };
    if (awake && awake.size <= this.#ids.length) { for (const id of awake) open(this.#places.get(id)); }
    else for (const [place, id] of this.#ids.entries()) if (!awake || awake.has(id)) open(place);
    return isTouched;
  }

  /**
   * Visits, in order, the calls that may have work: those that are open or have changed, and waiting ones as long as there is room.
   * If a call may not start, no later one may. Returns false if a visit returned false or `holds`. Open calls that were not visited
   * remain open; started calls are still visited after `holds`.
   */
  walk(pass: Slice, visit: (place: number) => CallState): boolean {
    this.isTouched(pass);
    // In the same order as in a pass without a cache.
    const due = [...this.#open].sort((a, b) => a - b);
    const roomless = this.#roomless.walk();
    const held = this.#held.walk();
    let at = 0;
    let isHeld = false;
    let wentOn = true;
    for (;;) {
      const place = Math.min(
        due[at] ?? Infinity,
        pass.hasRoom ? roomless.next : Infinity,
        isHeld ? Infinity : held.next,
      );
      if (place === Infinity) break;
      if (place === due[at]) at++;
      if (place === roomless.next) roomless.advance();
      if (place === held.next) held.advance();
      const isThere = this.nodeAt(pass, place) !== undefined;
      const answer = !isThere && isHeld || visit(place);
      if (answer === false) {
        this.#open.add(place);
        wentOn = false;
        break;
      }
      isHeld = this.#sort(pass, place) === "held" || isHeld;
      if (answer === true) continue;
      this.#open.add(place);
      if (answer === "open") continue;
      isHeld = true;
      wentOn = false;
    }
    if (this.#roomless.size && !pass.hasRoom) pass.waitFor("room");
    return wentOn;
  }

  /** Whether some calls have no node yet because they may not start. */
  get holdsBack(): boolean {
    return this.#held.size > 0;
  }

  /** The node of a call; undefined if it does not exist. */
  nodeAt(pass: Slice, place: number): NodeStatus | undefined {
    const id = this.#ids[place];
    const node = id === undefined ? undefined : pass.draft.nodes.get(id);
    const name = this.#names?.[place];
    if (!node || name === undefined || node.name === name) return node;
    return pass.draft.nodes.get(this.#ids[place] = pass.draft.nodes.idOf(name));
  }

  /** The nodes of all calls, in order; undefined for a call without a node. */
  nodes(pass: Slice): (NodeStatus | undefined)[] {
    return this.#ids.map((_, place) => this.nodeAt(pass, place));
  }

  /** Updates the sets that contain a call. */
  #sort(pass: Slice, place: number): "held" | undefined {
    const node = this.nodeAt(pass, place);
    // Two calls of a loop may have the same default ID, which belongs to the call whose node was created first.
    if (node) this.#places.set(node.id, place);
    const kind = !node ? this.#kindWithoutNode(pass, place) : isOver(node) ? "over" : this.#kindOf(pass, node.id);
    if (kind === "open") this.#open.add(place);
    else this.#open.delete(place);
    this.#roomless.keep(place, kind === "room");
    this.#held.keep(place, kind === "held");
    return kind === "held" ? kind : undefined;
  }

  /** A call that requested locks may start when it gets them, and does not block others. */
  #kindWithoutNode(pass: Slice, place: number): "open" | "held" {
    return pass.draft.hasAsked(this.#ids[place]!) ? "open" : "held";
  }

  /**
   * The kind of a call whose node is unfinished. Calls that only wait for room are visited in order while there is room; those that
   * wait for other limits are visited individually.
   */
  #kindOf(pass: Slice, id: string): "open" | "room" | "settled" {
    const settled = pass.cache(settledNodes).get(id);
    if (!settled) return "open";
    if (settled.limits.size === 0) return "settled";
    return settled.limits.size === 1 && settled.limits.has("room") ? "room" : "open";
  }
}

/** The calls of loops, by their list of items. */
const callsOfLoops = () => new WeakMap<readonly unknown[], LoopCalls>();

/** The calls of the loop over `items`. `nameOf` returns the name of an item's node. */
export function callsOfLoop<T>(pass: Slice, items: readonly T[], nameOf: (item: T) => string): LoopCalls {
  const known = pass.cache(callsOfLoops);
  const calls = pass.awake && known.get(items);
  if (calls) return calls;
  const names = items.map(nameOf);
  const made = new LoopCalls(pass, names.map((name) => pass.draft.nodes.idOf(name)), names);
  known.set(items, made);
  return made;
}

/** An ordered set of indexes. */
class Places {
  #places = new Set<number>();
  #last = -1;
  #isSorted = true;

  get size(): number {
    return this.#places.size;
  }

  /** Adds or removes an index. */
  keep(place: number, isIn: boolean): void {
    if (!isIn) return void this.#places.delete(place);
    if (this.#places.has(place)) return;
    if (place > this.#last) this.#last = place;
    else this.#isSorted = false;
    this.#places.add(place);
  }

  /** Iterates in order. Indexes that are added meanwhile are only visited if they are the last. */
  walk(): { readonly next: number; advance(): void } {
    if (!this.#isSorted) this.#places = new Set([...this.#places].sort((a, b) => a - b));
    this.#isSorted = true;
    const places = this.#places.values();
    const take = () => places.next().value ?? Infinity;
    let next = take();
    return {
      get next() {
        return next;
      },
      advance: () => next = take(),
    };
  }
}
