/**
 * A log of changed keys, in order. Readers remember how far they have read, so there may be several, and none needs to be
 * notified.
 */
export class ChangeLog {
  #keys: string[] = [];
  /** How many keys were removed from the start of the log. */
  #dropped = 0;

  /** How many keys were added so far: the position to pass to `since` later. */
  get mark(): number {
    return this.#dropped + this.#keys.length;
  }

  /** Adds a changed key. */
  note(key: string): void {
    this.#keys.push(key);
    if (this.#keys.length <= MAX_KEPT) return;
    const kept = this.#keys.slice(-MAX_KEPT / 2);
    this.#dropped += this.#keys.length - kept.length;
    this.#keys = kept;
  }

  /** The keys that changed since a position; undefined if they have been removed from the log. */
  since(mark: number): ReadonlySet<string> | undefined {
    return mark < this.#dropped ? undefined : new Set(this.#keys.slice(mark - this.#dropped));
  }
}

/** The maximum length of the log. A reader that has missed more should check everything. */
const MAX_KEPT = 8192;
