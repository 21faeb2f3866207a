/** Caches of values derived from untrusted texts, limited in entries and size. */

/** Limits of a cache. */
export interface CacheLimits {
  readonly entries: number;
  /** Total size of all entries, in the unit of `set`'s `size`: by default, characters of the keys. */
  readonly size: number;
}

/**
 * A cache by text. When a new value would exceed a limit, the whole cache is cleared: the entries in use return soon,
 * and a read needs no bookkeeping. A value that exceeds the size limit alone is not cached.
 */
export class TextCache<V> {
  readonly #values = new Map<string, V>();
  readonly #limits: CacheLimits;
  #size = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  /** The number of cached values. */
  get entries(): number {
    return this.#values.size;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** Whether a key is cached; its value may be undefined. */
  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** Caches a value. `size` defaults to the length of the key. */
  set(key: string, value: V, size = key.length): void {
    if (size > this.#limits.size) return;
    if (this.#values.size >= this.#limits.entries || this.#size + size > this.#limits.size) this.clear();
    this.#values.set(key, value);
    this.#size += size;
  }

  clear(): void {
    this.#values.clear();
    this.#size = 0;
  }
}

/** Sets an entry of a map and removes the oldest entry if the map then has more than `max`. */
export function keepNewest<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value!);
}
