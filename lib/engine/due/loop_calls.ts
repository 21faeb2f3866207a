/** The calls that a loop makes, and which of them a pass has to look at. */
import type { NodeStatus } from "@tiphys/model/api";
import { isOver } from "@tiphys/model/status";
import type { Pass } from "../pass.ts";
import { settledNodes, WokenSince } from "./settled_nodes.ts";

/**
 * The answer of a visit to a call: true when it may be left alone until its node changes, `open` when the next pass visits it
 * again, `holds` when no call after it may start, false when the pass visits no other call of the loop.
 */
export type CallState = boolean | "open" | "holds";

/**
 * The calls that a loop makes, and which of them a pass has to look at: a loop of thousands costs a pass what changed in
 * it. It knows no more than the nodes tell; a new one looks at all calls.
 */
export class LoopCalls {
  /** The IDs of the nodes of the calls, in order. That of a call without a node may go to another node. */
  readonly #ids: string[];
  readonly #names: readonly string[] | undefined;
  /** The places of the calls, by the ID of their node. */
  readonly #places: Map<string, number>;
  readonly #woken: WokenSince;
  /** Places of the calls to be looked at in any pass. */
  readonly #open: Set<number>;
  /** Places of the calls that wait for room for their pod. */
  readonly #roomless = new Places();
  /** Places of the calls that may not start yet. */
  readonly #held = new Places();

  /** `names` of the nodes are needed where some of them do not exist yet. */
  constructor(pass: Pass, ids: readonly string[], names?: readonly string[]) {
    this.#ids = [...ids];
    this.#names = names;
    this.#woken = new WokenSince(pass);
    this.#places = new Map(ids.map((id, place) => [id, place]));
    this.#open = new Set(ids.keys());
  }

  /** Whether something changed about one of the calls since this was asked, or they were visited; those are open now. */
  isTouched(pass: Pass): boolean {
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
   * Visits the calls that may have something to do, in their order: those that are open or touched, and those that wait
   * as long as there is room. Where one may not start, none of those after it may. Returns false when a visit returned false
   * or `holds`. Calls that were open and not visited remain open; those that have started continue after `holds`.
   */
  walk(pass: Pass, visit: (place: number) => CallState): boolean {
    this.isTouched(pass);
    // In their order, as a pass without any memory would come to them.
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

  /** The node of a call; undefined while it does not exist. */
  nodeAt(pass: Pass, place: number): NodeStatus | undefined {
    const id = this.#ids[place];
    const node = id === undefined ? undefined : pass.draft.nodes.get(id);
    const name = this.#names?.[place];
    if (!node || name === undefined || node.name === name) return node;
    return pass.draft.nodes.get(this.#ids[place] = pass.draft.nodes.idOf(name));
  }

  /** The nodes of all calls, in order; undefined for a call whose node does not exist. */
  nodes(pass: Pass): (NodeStatus | undefined)[] {
    return this.#ids.map((_, place) => this.nodeAt(pass, place));
  }

  /** Puts a call where it belongs now. */
  #sort(pass: Pass, place: number): "held" | undefined {
    const node = this.nodeAt(pass, place);
    // Two calls of a loop may have the same usual ID: it belongs to the one that got its node first.
    if (node) this.#places.set(node.id, place);
    const kind = !node ? this.#kindWithoutNode(pass, place) : isOver(node) ? "over" : this.#kindOf(pass, node.id);
    if (kind === "open") this.#open.add(place);
    else this.#open.delete(place);
    this.#roomless.keep(place, kind === "room");
    this.#held.keep(place, kind === "held");
    return kind === "held" ? kind : undefined;
  }

  /** One that asked for locks may start as soon as it is answered, and holds up nobody. */
  #kindWithoutNode(pass: Pass, place: number): "open" | "held" {
    return pass.draft.hasAsked(this.#ids[place]!) ? "open" : "held";
  }

  /**
   * The kind of a call that is there and not over. Calls that wait for room alone are visited in their order while
   * there is some; those that wait for other limits are asked one by one.
   */
  #kindOf(pass: Pass, id: string): "open" | "room" | "settled" {
    const settled = pass.cache(settledNodes).get(id);
    if (!settled) return "open";
    if (settled.limits.size === 0) return "settled";
    return settled.limits.size === 1 && settled.limits.has("room") ? "room" : "open";
  }
}

/** The calls of loops, by the list that each was written out to. */
const callsOfLoops = () => new WeakMap<readonly unknown[], LoopCalls>();

/** The calls of a loop that was written out to `items`; `nameOf` names the node of an item. */
export function callsOfLoop<T>(pass: Pass, items: readonly T[], nameOf: (item: T) => string): LoopCalls {
  const known = pass.cache(callsOfLoops);
  const calls = pass.awake && known.get(items);
  if (calls) return calls;
  const names = items.map(nameOf);
  const made = new LoopCalls(pass, names.map((name) => pass.draft.nodes.idOf(name)), names);
  known.set(items, made);
  return made;
}

/** Places in their order. */
class Places {
  #places = new Set<number>();
  #last = -1;
  #isSorted = true;

  get size(): number {
    return this.#places.size;
  }

  /** Takes a place in, or out. */
  keep(place: number, isIn: boolean): void {
    if (!isIn) return void this.#places.delete(place);
    if (this.#places.has(place)) return;
    if (place > this.#last) this.#last = place;
    else this.#isSorted = false;
    this.#places.add(place);
  }

  /** Walks the places from the first on; those taken in meanwhile are not visited, unless they stand at the end. */
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
