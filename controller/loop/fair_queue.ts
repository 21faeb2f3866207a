/**
 * A queue of keys (`namespace/name`) in which namespaces take turns, so that many workflows in one do not delay the
 * others.
 */
export class FairQueue {
  /** The queues by namespace, beginning with the one whose turn is next. */
  readonly #lines = new Map<string, Set<string>>();
  #size = 0;

  /** The number of queued keys. */
  get size(): number {
    return this.#size;
  }

  has(key: string): boolean {
    return this.#lines.get(namespaceOf(key))?.has(key) ?? false;
  }

  /** Appends a key to the queue of its namespace, unless it is already queued. */
  add(key: string): void {
    const namespace = namespaceOf(key);
    let line = this.#lines.get(namespace);
    if (!line) this.#lines.set(namespace, line = new Set());
    if (line.has(key)) return;
    line.add(key);
    this.#size++;
  }

  /** The next key. */
  first(): string | undefined {
    for (const line of this.#lines.values()) for (const key of line) return key;
    return undefined;
  }

  /** Removes a key, and moves its namespace to the end. */
  remove(key: string): void {
    const namespace = namespaceOf(key);
    const line = this.#lines.get(namespace);
    if (!line?.delete(key)) return;
    this.#size--;
    this.#lines.delete(namespace);
    if (line.size) this.#lines.set(namespace, line);
  }

  /** The position of a key, from 1, if no other is added; undefined if it is not queued. */
  positionOf(key: string): number | undefined {
    const own = namespaceOf(key);
    const index = [...this.#lines.get(own) ?? []].indexOf(key);
    if (index < 0) return undefined;
    let place = index + 1;
    let isBefore = true;
    for (const [namespace, line] of this.#lines) {
      if (namespace === own) isBefore = false;
      else place += Math.min(line.size, isBefore ? index + 1 : index);
    }
    return place;
  }

  clear(): void {
    this.#lines.clear();
    this.#size = 0;
  }
}

function namespaceOf(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf("/")));
}
