/** Folds consecutive lines of a log: the frames of stack traces and, on request, lines that differ in numbers only. */
import { plainText } from "./terminal_text.ts";

/** The lines of a log. */
interface LogTexts {
  readonly count: number;
  text(number: number): string;
  /** Returns the first byte of a text; undefined for an empty one. */
  firstByte(number: number): number | undefined;
}

/** Consecutive lines of which only the first is shown. */
export interface LineFold {
  readonly from: number;
  /** The line after the last one. */
  readonly to: number;
  readonly kind: "frames" | "similar";
}

/** The visible rows of a log. */
export interface LogRows {
  readonly count: number;
  lineAt(row: number): number;
}

/** The minimum size of a fold: fewer lines are as quick to read as a note about them. */
const MIN_FOLDED_LINES = 4;
/** The maximum number of characters of a line that are compared. */
const LETTERS = 300;

/** Returns a line with numbers, hashes and times masked. */
export function shapeOf(line: string): string {
  return plainText(line.slice(0, LETTERS)).replace(/[0-9a-f]{8,}|\d+/gi, "#");
}

/** The first bytes of frames: blank, tab, escape, `#`, and `s` of `stack backtrace:`. */
const FIRST_BYTES = new Set([0x20, 0x09, 0x1b, 0x23, 0x73]);
/**
 * `    at f (a.js:1)`, `  File "a.py", line 1`, `\t/app/main.go:12 +0x1d`, `\tfrom a.rb:1:in 'f'`, `#0 /a.php(12):
 * f()`, `#0  0x0000 in f () at a.c:1`, `\t... 12 more`, `stack backtrace:`
 */
const FRAME =
  /^\s+(?:at \S|File "[^"]*", line \d|\S+\.go:\d|from \S+:\d+:in |\.\.\. \d+ (?:more|common|lines matching)|\[Previous line repeated )|^\s*#\d+\s+(?:0x|\S+\()|^stack backtrace:/;
/** Lines between frames: their source texts, and the numbered functions of Rust. */
const BETWEEN = /^(?: {4,}|\t)\S|^\s+\d+: \S/;
/** The functions of Go, between its frames; they end with a parenthesis. */
const CALL = /^(?:created by )?\w\S*\(/;

/** Reports whether a line that follows a frame belongs to the trace. */
function isBetween(text: string): boolean {
  return BETWEEN.test(text) || text.endsWith(")") && CALL.test(text);
}

/** The folds of a log, computed incrementally, also while the log grows. */
export class FoldedLines {
  readonly #lines: LogTexts;
  readonly #withSimilar: boolean;
  readonly #folds: { -readonly [K in keyof LineFold]: LineFold[K] }[] = [];
  /** The first line of the current group, and the shape of its lines; undefined if they are not folded. */
  #from = 0;
  #shape: string | undefined;
  #next = 0;

  constructor(lines: LogTexts, { withSimilar = false }: { readonly withSimilar?: boolean } = {}) {
    this.#lines = lines;
    this.#withSimilar = withSimilar;
  }

  /** Whether all current lines were read. */
  get isDone(): boolean {
    return this.#next >= this.#lines.count;
  }

  /** Continues reading until `mayContinue` returns false. It is called every hundred lines. */
  step(mayContinue: () => boolean): void {
    for (let looked = 1; !this.isDone; looked++) {
      const line = this.#next++;
      const shape = this.#shapeAt(line);
      if (shape === undefined || shape !== this.#shape) this.#from = line;
      this.#shape = shape;
      if (shape !== undefined && line + 1 - this.#from >= MIN_FOLDED_LINES) this.#fold(line + 1, shape);
      if (looked % 100 === 0 && !mayContinue()) return;
    }
  }

  #shapeAt(line: number): string | undefined {
    const isAfterFrame = this.#shape === FRAMES;
    if (isAfterFrame || FIRST_BYTES.has(this.#lines.firstByte(line) ?? 0)) {
      const text = plainText(this.#lines.text(line).slice(0, LETTERS));
      if (FRAME.test(text) || isAfterFrame && isBetween(text)) return FRAMES;
    }
    return this.#withSimilar ? shapeOf(this.#lines.text(line)) : undefined;
  }

  #fold(to: number, shape: string): void {
    const last = this.#folds.at(-1);
    if (last?.from === this.#from) last.to = to;
    else this.#folds.push({ from: this.#from, to, kind: shape === FRAMES ? "frames" : "similar" });
  }

  /** Returns the fold that contains a line; undefined if the line is shown normally. */
  foldOf(line: number): LineFold | undefined {
    const fold = this.#folds[lastIndexWhere(this.#folds.length, (index) => this.#folds[index]!.from <= line)];
    return fold && line < fold.to ? fold : undefined;
  }

  /** Returns the visible rows: of a fold that is not opened, only the first line. Lines not read yet are visible. */
  rows(opened: ReadonlySet<number>): LogRows {
    const folds = this.#folds.filter(({ from }) => !opened.has(from));
    // The row of each fold, and how many lines are hidden up to its end.
    const rows = new Uint32Array(folds.length);
    const hidden = new Uint32Array(folds.length);
    let sum = 0;
    for (const [index, { from, to }] of folds.entries()) {
      rows[index] = from - sum;
      hidden[index] = sum += to - from - 1;
    }
    return {
      count: this.#lines.count - sum,
      lineAt: (row) => row + (hidden[lastIndexWhere(rows.length, (index) => rows[index]! < row)] ?? 0),
    };
  }
}

/** The shape of all frames. No other shape has a line end. */
const FRAMES = "\n";

/** Returns the last index for which an ascending condition holds; -1 if it holds for no index. */
function lastIndexWhere(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
