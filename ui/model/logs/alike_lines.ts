/** Lines of a log that are alike, one after the other: they differ in numbers only, and are shown as one. */
import { plainText } from "./terminal_text.ts";

/** The lines of a log, as far as folding needs them. */
interface FoldedLines {
  readonly count: number;
  text(number: number): string;
}

/** As many lines are folded; fewer are read as fast as the word that they are folded. */
const LEAST = 4;
/** The letters of a line that count. */
const LETTERS = 300;

/** A line with its numbers, hashes and times left out. */
export function shapeOf(line: string): string {
  return plainText(line.slice(0, LETTERS)).replace(/[0-9a-f]{8,}|\d+/gi, "#");
}

/** The folding of a log, which goes on where it stopped: also when the log has grown. */
export class AlikeLines {
  readonly #lines: FoldedLines;
  /** The first line of each group. */
  readonly #starts: number[] = [];
  #shape = "";
  #next = 0;

  constructor(lines: FoldedLines) {
    this.#lines = lines;
  }

  /** Whether all lines that are there were looked at. */
  get isDone(): boolean {
    return this.#next >= this.#lines.count;
  }

  /** Looks on while there is time: `mayGoOn` is asked every hundred lines. */
  step(mayGoOn: () => boolean): void {
    for (let looked = 1; !this.isDone; looked++) {
      const shape = shapeOf(this.#lines.text(this.#next));
      if (this.#starts.length === 0 || shape !== this.#shape) this.#starts.push(this.#next);
      this.#shape = shape;
      this.#next++;
      if (looked % 100 === 0 && !mayGoOn()) return;
    }
  }

  /** The first line of the group in which a line stands. */
  groupOf(line: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= line) low = middle + 1;
      else high = middle;
    }
    return this.#starts[low - 1] ?? line;
  }

  /** The number of lines that are folded into a line, itself included; 0 for one that is shown as it is. */
  countAt(line: number): number {
    const at = this.#placeOf(line);
    if (at < 0) return 0;
    const count = (this.#starts[at + 1] ?? this.#next) - line;
    return count < LEAST ? 0 : count;
  }

  /** The lines that are shown, in their order: of a folded group the first one. Lines that were not looked at yet are not among them. */
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
