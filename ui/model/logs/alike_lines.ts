/** Groups consecutive similar lines of a log, which differ in numbers only, to show them as one. */
import { plainText } from "./terminal_text.ts";

/** The lines of a log. */
interface FoldedLines {
  readonly count: number;
  text(number: number): string;
}

/** The minimum size of a group: fewer lines are as quick to read as a note about them. */
const LEAST = 4;
/** How many characters of a line are compared. */
const LETTERS = 300;

/** Returns a line with numbers, hashes and times masked. */
export function shapeOf(line: string): string {
  return plainText(line.slice(0, LETTERS)).replace(/[0-9a-f]{8,}|\d+/gi, "#");
}

/** The groups of a log, computed incrementally, also while the log grows. */
export class AlikeLines {
  readonly #lines: FoldedLines;
  /** The first line of each group. */
  readonly #starts: number[] = [];
  #shape = "";
  #next = 0;

  constructor(lines: FoldedLines) {
    this.#lines = lines;
  }

  /** Whether all current lines are grouped. */
  get isDone(): boolean {
    return this.#next >= this.#lines.count;
  }

  /** Continues grouping until `mayGoOn`, which is called every hundred lines, returns false. */
  step(mayGoOn: () => boolean): void {
    for (let looked = 1; !this.isDone; looked++) {
      const shape = shapeOf(this.#lines.text(this.#next));
      if (this.#starts.length === 0 || shape !== this.#shape) this.#starts.push(this.#next);
      this.#shape = shape;
      this.#next++;
      if (looked % 100 === 0 && !mayGoOn()) return;
    }
  }

  /** Returns the first line of the group that contains a line. */
  groupOf(line: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= line) low = middle + 1;
      else high = middle;
    }
    return this.#starts[low - 1] ?? line;
  }

  /** Returns the number of lines in the group that starts at a line; 0 if the line is shown normally. */
  countAt(line: number): number {
    const at = this.#placeOf(line);
    if (at < 0) return 0;
    const count = (this.#starts[at + 1] ?? this.#next) - line;
    return count < LEAST ? 0 : count;
  }

  /**
   * Returns the visible lines in order: of a folded group only the first. Lines that have not been grouped yet are
   * missing.
   */
  shown(opened: ReadonlySet<number>): readonly number[] {
    const lines: number[] = [];
    for (const [at, start] of this.#starts.entries()) {
      const end = this.#starts[at + 1] ?? this.#next;
      const last = end - start < LEAST || opened.has(start) ? end : start + 1;
      for (let line = start; line < last; line++) lines.push(line);
    }
    return lines;
  }

  #placeOf(line: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#starts[middle]!;
      if (found === line) return middle;
      if (found < line) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}
