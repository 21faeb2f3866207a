/** A memory of what was made from texts that others write: bounded in entries and in size. */

/** The limits of what is kept. */
export interface KeptLimits {
  readonly entries: number;
  /** Of all entries together, in the unit in which they are told: characters of their sources, say. */
  readonly size: number;
}

/**
 * Keeps values by text. Before it would hold too much it forgets everything: what is asked for again is soon there, and
 * nothing has to be counted when it is asked for. What is too large by itself is not kept.
 */
export class Kept<V> {
  readonly #values = new Map<string, V>();
  readonly #limits: KeptLimits;
  #size = 0;

  constructor(limits: KeptLimits) {
    this.#limits = limits;
  }

  /** The number of values that are kept. */
  get entries(): number {
    return this.#values.size;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** Whether a value is kept, which may be undefined. */
  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** Keeps a value whose size is that of its key, where no other is said. */
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

/** Sets an entry of a map that keeps so many of the newest. */
export function keepNewest<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}
