import { isOver } from "./node_state.ts";
import type { Pass } from "./pass.ts";
import { restOf } from "./rest.ts";

/**
 * The calls that a loop makes, and which of them a pass has to look at: a loop of thousands costs a pass what changed in
 * it. It knows no more than the nodes tell; a new one looks at all calls.
 */
export class Roster {
  /** The IDs of the nodes of the calls, in order. */
  readonly ids: readonly string[];
  readonly #places: ReadonlyMap<string, number>;
  /** Those to be looked at in any pass. */
  readonly #open: Set<number>;
  /** Those that wait for room for their pod. */
  readonly #roomless = new Line();
  /** Those that may not start yet. */
  readonly #held = new Line();

  constructor(ids: readonly string[]) {
    this.ids = ids;
    this.#places = new Map(ids.map((id, place) => [id, place]));
    this.#open = new Set(ids.keys());
  }

  /** Whether something changed about one of the calls. */
  isTouched(awake: ReadonlySet<string>): boolean {
    if (awake.size > this.ids.length) return this.ids.some((id) => awake.has(id));
    for (const id of awake) if (this.#places.has(id)) return true;
    return false;
  }

  /**
   * Visits the calls that may have something to do, in their order: those that are open or touched, and those that wait
   * as long as there is room. Where one may not start, none of those after it may. `visit` may answer false: then nothing
   * more is visited, and so does this.
   */
  walk(pass: Pass, visit: (place: number) => boolean): boolean {
    const due = this.#due(pass.awake);
    const roomless = this.#roomless.walk();
    const held = this.#held.walk();
    let at = 0;
    let isHeld = false;
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
      const isThere = pass.nodes.get(this.ids[place]) !== undefined;
      if ((isThere || !isHeld) && !visit(place)) {
        this.#open.add(place);
        return false;
      }
      isHeld = this.#sort(pass, place) === "held" || isHeld;
    }
    if (this.#roomless.size && !pass.hasRoom) pass.roomless++;
    return true;
  }

  /** In their order, as a pass without any memory would come to them. */
  #due(awake: ReadonlySet<string> | undefined): readonly number[] {
    const due = new Set(this.#open);
    for (const id of awake ?? []) {
      const place = this.#places.get(id);
      if (place !== undefined) due.add(place);
    }
    return [...due].sort((a, b) => a - b);
  }

  /** Puts a call where it belongs now. */
  #sort(pass: Pass, place: number): "held" | undefined {
    const node = pass.nodes.get(this.ids[place]);
    const rest = node && pass.memory.part(restOf).get(node.id);
    const kind = !node ? "held" : isOver(node) ? "over" : rest ?? "open";
    if (kind === "open") this.#open.add(place);
    else this.#open.delete(place);
    this.#roomless.keep(place, kind === "room");
    this.#held.keep(place, kind === "held");
    return kind === "held" ? kind : undefined;
  }
}

/** The rosters of loops, by the list that each was written out to. */
const rosters = () => new WeakMap<readonly unknown[], Roster>();

/** The roster of a loop that was written out to `items`; `nameOf` names the node of an item. */
export function rosterOf<T>(pass: Pass, items: readonly T[], nameOf: (item: T) => string): Roster {
  const known = pass.memory.part(rosters);
  let roster = pass.awake && known.get(items);
  if (!roster) known.set(items, roster = new Roster(items.map((item) => pass.nodes.idOf(nameOf(item)))));
  return roster;
}

/** Places in their order. */
class Line {
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

  /** From the first on; those taken in meanwhile are not come to, unless they stand at the end. */
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
