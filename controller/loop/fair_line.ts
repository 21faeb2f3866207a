/** Keys (`namespace/name`) that wait: namespaces take turns, so that many workflows of one keep nobody else waiting. */
export class FairLine {
  /** By namespace; the one whose turn is next stands first. */
  readonly #lines = new Map<string, Set<string>>();
  #size = 0;

  /** The number of keys that wait. */
  get size(): number {
    return this.#size;
  }

  has(key: string): boolean {
    return this.#lines.get(namespaceOf(key))?.has(key) ?? false;
  }

  /** Puts a key at the end of its namespace's line, unless it stands there. */
  add(key: string): void {
    const namespace = namespaceOf(key);
    let line = this.#lines.get(namespace);
    if (!line) this.#lines.set(namespace, line = new Set());
    if (line.has(key)) return;
    line.add(key);
    this.#size++;
  }

  /** The key whose turn is next. */
  first(): string | undefined {
    for (const line of this.#lines.values()) for (const key of line) return key;
    return undefined;
  }

  /** Takes a key out: its namespace has had its turn. */
  take(key: string): void {
    const namespace = namespaceOf(key);
    const line = this.#lines.get(namespace);
    if (!line?.delete(key)) return;
    this.#size--;
    this.#lines.delete(namespace);
    if (line.size) this.#lines.set(namespace, line);
  }

  /** The place of a key, from 1, as long as no other comes; undefined for one that does not wait. */
  placeOf(key: string): number | undefined {
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
