/** A binary heap: reading the first item takes constant time, adding and removing items take logarithmic time. */
export class Heap<T> {
  readonly #comesFirst: (a: T, b: T) => boolean;
  #items: T[] = [];

  /** `comesFirst` returns whether one item comes before another. */
  constructor(comesFirst: (a: T, b: T) => boolean) {
    this.#comesFirst = comesFirst;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The first item; undefined for an empty heap. */
  get first(): T | undefined {
    return this.#items[0];
  }

  add(item: T): void {
    const items = this.#items;
    let index = items.push(item) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#comesFirst(item, items[parent]!)) break;
      items[index] = items[parent]!;
      index = parent;
    }
    items[index] = item;
  }

  /** Removes the first item. */
  removeFirst(): void {
    const items = this.#items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return;
    let index = 0;
    for (let child = 1; child < items.length; child = 2 * index + 1) {
      if (child + 1 < items.length && this.#comesFirst(items[child + 1]!, items[child]!)) child++;
      if (!this.#comesFirst(items[child]!, last)) break;
      items[index] = items[child]!;
      index = child;
    }
    items[index] = last;
  }

  /** Removes all items for which the predicate is false. */
  retain(keeps: (item: T) => boolean): void {
    this.reset(this.#items.filter(keeps));
  }

  /** Replaces all items. */
  reset(items: Iterable<T>): void {
    this.#items = [];
    for (const item of items) this.add(item);
  }
}
