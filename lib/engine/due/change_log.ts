/**
 * A log of the keys that were changed, in order. Whoever remembers how far it has read is told what came since, so
 * several may read, and nobody has to be told.
 */
export class ChangeLog {
  #keys: string[] = [];
  /** The number of keys that were noted and are no longer kept. */
  #dropped = 0;

  /** The number of keys noted so far: the mark that `since` is asked with later. */
  get mark(): number {
    return this.#dropped + this.#keys.length;
  }

  /** A key was changed. */
  note(key: string): void {
    this.#keys.push(key);
    if (this.#keys.length <= MAX_KEPT) return;
    const kept = this.#keys.slice(-MAX_KEPT / 2);
    this.#dropped += this.#keys.length - kept.length;
    this.#keys = kept;
  }

  /** The keys changed since a mark; undefined when that is too long ago to be known. */
  since(mark: number): ReadonlySet<string> | undefined {
    return mark < this.#dropped ? undefined : new Set(this.#keys.slice(mark - this.#dropped));
  }
}

/** The largest number of keys that are kept. A reader that has missed more had better look at everything. */
const MAX_KEPT = 8192;
