/** Nested items with a maximum depth. A manually edited status may contain cycles. */

/** Items by ID, each with its parent and depth. Built in linear time, for any depth. */
export class Levels {
  readonly #levels = new Map<string, number>();
  readonly #parents = new Map<string, string>();
  readonly #parentOf: (id: string) => string | undefined;
  readonly #maxLevel: number;

  /**
   * In a cycle, the first item encountered has no parent. Items below the deepest level, counted from 0, become
   * siblings of their parents.
   */
  constructor(ids: Iterable<string>, parentOf: (id: string) => string | undefined, deepest = Infinity) {
    this.#parentOf = parentOf;
    this.#maxLevel = deepest;
    for (const id of ids) this.add(id);
  }

  /** Adds one more item, and all items that contain it. Others are unchanged. */
  add(id: string): void {
    if (this.#levels.has(id)) return;
    const parent = this.#parentOf(id);
    // Most items are at the top, or in an item encountered before.
    if (parent === undefined || this.#levels.has(parent)) this.#place(id, parent);
    else this.#placeAll(id);
  }

  /** Returns the parent of an item; undefined if it has no parent. */
  holderOf(id: string): string | undefined {
    return this.#parents.get(id);
  }

  /** Returns the level of an item: 0 if it has no parent. */
  levelOf(id: string): number {
    return this.#levels.get(id) ?? 0;
  }

  /** Adds an item after all items that contain it. */
  #placeAll(id: string): void {
    const way = new Set<string>();
    let last: string | undefined = id;
    for (; last !== undefined && !this.#levels.has(last) && !way.has(last); last = this.#parentOf(last)) way.add(last);
    const isCircle = last !== undefined && way.delete(last);
    if (isCircle) this.#levels.set(last!, 0);
    for (const id of [...way].reverse()) this.#place(id, this.#parentOf(id));
  }

  #place(id: string, parent: string | undefined): void {
    const above = parent === undefined ? -1 : this.levelOf(parent);
    this.#levels.set(id, Math.min(above + 1, this.#maxLevel));
    const shown = parent !== undefined && above === this.#maxLevel ? this.#parents.get(parent) : parent;
    if (shown !== undefined) this.#parents.set(id, shown);
  }
}
