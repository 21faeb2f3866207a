/** Things that lie in each other, as deep as they are shown: a status that somebody wrote by hand may lead back to itself. */

/** Things by id, each with what it lies in and how deep. Made in time that grows with their number, whatever their depth. */
export class Levels {
  readonly #levels = new Map<string, number>();
  readonly #holders = new Map<string, string>();
  readonly #holderOf: (id: string) => string | undefined;
  readonly #deepest: number;

  /**
   * Of a circle the one lies in nothing that is met first. What would lie below the deepest level, counted from 0, stands there,
   * beside what it would lie in.
   */
  constructor(ids: Iterable<string>, holderOf: (id: string) => string | undefined, deepest = Infinity) {
    this.#holderOf = holderOf;
    this.#deepest = deepest;
    for (const id of ids) this.place(id);
  }

  /** Finds the place of one more thing, and of all that it lies in; those of others stay as they are. */
  place(id: string): void {
    if (this.#levels.has(id)) return;
    const holder = this.#holderOf(id);
    // Most stand at the top, or in what was met before them.
    if (holder === undefined || this.#levels.has(holder)) this.#place(id, holder);
    else this.#placeAll(id);
  }

  /** What a thing lies in; undefined where it is nothing. */
  holderOf(id: string): string | undefined {
    return this.#holders.get(id);
  }

  /** The level of a thing: 0 where it lies in nothing. */
  levelOf(id: string): number {
    return this.#levels.get(id) ?? 0;
  }

  /** Places a thing, and before it all that it lies in. */
  #placeAll(id: string): void {
    const way = new Set<string>();
    let last: string | undefined = id;
    for (; last !== undefined && !this.#levels.has(last) && !way.has(last); last = this.#holderOf(last)) way.add(last);
    const isCircle = last !== undefined && way.delete(last);
    if (isCircle) this.#levels.set(last!, 0);
    for (const one of [...way].reverse()) this.#place(one, this.#holderOf(one));
  }

  #place(id: string, holder: string | undefined): void {
    const above = holder === undefined ? -1 : this.levelOf(holder);
    this.#levels.set(id, Math.min(above + 1, this.#deepest));
    const shown = holder !== undefined && above === this.#deepest ? this.#holders.get(holder) : holder;
    if (shown !== undefined) this.#holders.set(id, shown);
  }
}
