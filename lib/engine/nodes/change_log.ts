/**
 * A log of changed keys, in order. Readers remember how far they have read, so there may be several, and none needs to
 * be notified.
 */
export class ChangeLog {
  #keys: string[] = [];
  /** The number of keys that were removed from the start of the log. */
  #removed = 0;

  /** The number of keys that were added so far, which is the position to pass to `since` later. */
  get position(): number {
    return this.#removed + this.#keys.length;
  }

  /** Adds a changed key. */
  add(key: string): void {
    this.#keys.push(key);
    if (this.#keys.length <= MAX_KEYS) return;
    const kept = this.#keys.slice(-MAX_KEYS / 2);
    this.#removed += this.#keys.length - kept.length;
    this.#keys = kept;
  }

  /** The keys that changed since a position; undefined if they have been removed from the log. */
  since(position: number): ReadonlySet<string> | undefined {
    return position < this.#removed ? undefined : new Set(this.#keys.slice(position - this.#removed));
  }
}

/** The maximum length of the log. A reader that has missed more should check everything. */
const MAX_KEYS = 8192;
