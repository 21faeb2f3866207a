/**
 * Sorts with the algorithm of Go's `sort.Sort`, so that equal elements have the same order: pattern-defeating
 * quicksort, which is stable up to twelve elements and deterministic beyond. Users see that order in `sort` and
 * `sortBy`.
 */

const MAX_INSERTION_SORT = 12;
/** From this length on, the pivot is chosen among nine candidates instead of three. */
const MIN_NINE_CANDIDATES = 50;
const MAX_FIXED_PAIRS = 5;

/** Returns a sorted copy. */
export function sortLikeGo<T>(items: readonly T[], less: (a: T, b: T) => boolean): T[] {
  const sorter = new Sorter([...items], less);
  sorter.sort(0, items.length, bitLength(items.length));
  return sorter.items;
}

function bitLength(value: number): number {
  return value === 0 ? 0 : 32 - Math.clz32(value);
}

type Hint = "unknown" | "increasing" | "decreasing";

class Sorter<T> {
  constructor(readonly items: T[], private readonly lessThan: (a: T, b: T) => boolean) {}

  /** Sorts `items[from..to)`. After `limit` bad partitions, heap sort is used. */
  sort(from: number, to: number, limit: number): void {
    let balanced = true;
    let partitioned = true;
    for (;;) {
      const length = to - from;
      if (length <= MAX_INSERTION_SORT) return this.insertionSort(from, to);
      if (limit === 0) return this.heapSort(from, to);
      if (!balanced) {
        this.breakPatterns(from, to);
        limit--;
      }
      let { pivot, hint } = this.choosePivot(from, to);
      if (hint === "decreasing") {
        this.reverse(from, to);
        pivot = to - 1 - (pivot - from);
        hint = "increasing";
      }
      if (balanced && partitioned && hint === "increasing" && this.finishAlmostSorted(from, to)) return;
      if (from > 0 && !this.less(from - 1, pivot)) {
        from = this.partitionEqual(from, to, pivot);
        continue;
      }
      const split = this.partition(from, to, pivot);
      partitioned = split.already;
      const [left, right] = [split.middle - from, to - split.middle];
      balanced = Math.min(left, right) >= Math.floor(length / 8);
      if (left < right) {
        this.sort(from, split.middle, limit);
        from = split.middle + 1;
      } else {
        this.sort(split.middle + 1, to, limit);
        to = split.middle;
      }
    }
  }

  private less(i: number, j: number): boolean {
    return this.lessThan(this.at(i), this.at(j));
  }

  private swap(i: number, j: number): void {
    const held = this.at(i);
    this.items[i] = this.at(j);
    this.items[j] = held;
  }

  /** Returns the element at an index, which is always within the list. */
  private at(index: number): T {
    return this.items[index]!;
  }

  private insertionSort(from: number, to: number): void {
    for (let i = from + 1; i < to; i++) {
      for (let j = i; j > from && this.less(j, j - 1); j--) this.swap(j, j - 1);
    }
  }

  private heapSort(from: number, to: number): void {
    const length = to - from;
    for (let i = Math.floor((length - 1) / 2); i >= 0; i--) this.siftDown(i, length, from);
    for (let i = length - 1; i >= 0; i--) {
      this.swap(from, from + i);
      this.siftDown(0, i, from);
    }
  }

  private siftDown(start: number, end: number, offset: number): void {
    for (let root = start;;) {
      let child = 2 * root + 1;
      if (child >= end) return;
      if (child + 1 < end && this.less(offset + child, offset + child + 1)) child++;
      if (!this.less(offset + root, offset + child)) return;
      this.swap(offset + root, offset + child);
      root = child;
    }
  }

  /** Moves three elements of the middle to indexes from a generator seeded with the length. */
  private breakPatterns(from: number, to: number): void {
    const length = to - from;
    if (length < 8) return;
    let random = BigInt(length);
    const mask = (1 << bitLength(length)) - 1;
    const middle = from + Math.floor(length / 4) * 2;
    for (let i = 0; i < 3; i++) {
      random ^= BigInt.asUintN(64, random << 13n);
      random ^= random >> 7n;
      random ^= BigInt.asUintN(64, random << 17n);
      const drawn = Number(random & BigInt(mask));
      this.swap(middle - 1 + i, from + (drawn >= length ? drawn - length : drawn));
    }
  }

  private choosePivot(from: number, to: number): { pivot: number; hint: Hint } {
    const length = to - from;
    const swaps = { count: 0 };
    const quarter = Math.floor(length / 4);
    let [i, j, k] = [from + quarter, from + quarter * 2, from + quarter * 3];
    if (length >= 8) {
      if (length >= MIN_NINE_CANDIDATES) {
        i = this.medianOf(i - 1, i, i + 1, swaps);
        j = this.medianOf(j - 1, j, j + 1, swaps);
        k = this.medianOf(k - 1, k, k + 1, swaps);
      }
      j = this.medianOf(i, j, k, swaps);
    }
    if (swaps.count === 0) return { pivot: j, hint: "increasing" };
    return { pivot: j, hint: swaps.count === 12 ? "decreasing" : "unknown" };
  }

  private medianOf(a: number, b: number, c: number, swaps: { count: number }): number {
    const ordered = (x: number, y: number): [number, number] => {
      if (!this.less(y, x)) return [x, y];
      swaps.count++;
      return [y, x];
    };
    [a, b] = ordered(a, b);
    [b, c] = ordered(b, c);
    [a, b] = ordered(a, b);
    return b;
  }

  private reverse(from: number, to: number): void {
    for (let [i, j] = [from, to - 1]; i < j; i++, j--) this.swap(i, j);
  }

  /** Fixes a few misplaced pairs. Returns whether the list is sorted. */
  private finishAlmostSorted(from: number, to: number): boolean {
    let i = from + 1;
    for (let step = 0; step < MAX_FIXED_PAIRS; step++) {
      while (i < to && !this.less(i, i - 1)) i++;
      if (i === to) return true;
      if (to - from < MIN_NINE_CANDIDATES) return false;
      this.swap(i, i - 1);
      if (i - from >= 2) {
        for (let j = i - 1; j >= 1 && this.less(j, j - 1); j--) this.swap(j, j - 1);
      }
      if (to - i >= 2) {
        for (let j = i + 1; j < to && this.less(j, j - 1); j++) this.swap(j, j - 1);
      }
    }
    return false;
  }

  /** Moves elements equal to the pivot to the front. Returns the index of the first other element. */
  private partitionEqual(from: number, to: number, pivot: number): number {
    this.swap(from, pivot);
    let [i, j] = [from + 1, to - 1];
    for (;;) {
      while (i <= j && !this.less(from, i)) i++;
      while (i <= j && this.less(from, j)) j--;
      if (i > j) return i;
      this.swap(i++, j--);
    }
  }

  /** Moves elements less than the pivot before it and the rest after it. */
  private partition(from: number, to: number, pivot: number): { middle: number; already: boolean } {
    this.swap(from, pivot);
    let [i, j] = [from + 1, to - 1];
    const advance = () => {
      while (i <= j && this.less(i, from)) i++;
      while (i <= j && !this.less(j, from)) j--;
    };
    advance();
    const wasPartitioned = i > j;
    if (!wasPartitioned) {
      this.swap(i++, j--);
      for (advance(); i <= j; advance()) this.swap(i++, j--);
    }
    this.swap(j, from);
    return { middle: j, already: wasPartitioned };
  }
}
