/**
 * Which keys were changed, in order. Whoever remembers how far it has read is told what came since, so several may read,
 * and nobody has to be told.
 */
export class ChangeLog {
  #keys: string[] = [];
  /** How many were noted before the first that is still kept. */
  #dropped = 0;

  /** How far the log goes now: what `since` is asked with later. */
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

/** Who has missed more had better look at everything. */
const MAX_KEPT = 8192;
