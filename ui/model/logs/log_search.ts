/**
 * The search in a log: by parts of the work that never hold the thread for long, and with regular expressions whose time
 * grows as the text does, whatever they are.
 */
import { plainText } from "./terminal_text.ts";

/** The text or expression that is looked for. */
export interface SearchWish {
  readonly text: string;
  readonly isRegex: boolean;
  readonly matchCase: boolean;
}

/** Tells whether a line matches. */
export type LineTest = (line: string) => boolean;

/** What a wish asks of lines. */
export interface LineWish {
  readonly test: LineTest;
  /** The text in lower case, where a text is looked for whatever its case is: bytes can be asked for it. */
  readonly lowerCase: string | undefined;
}

/** Makes a test of a regular expression of RE2's syntax. @throws {Error} when it cannot be read. */
export type RegexReader = (pattern: string) => LineTest;

/**
 * Makes the test of a wish; undefined for an empty text.
 * @throws {Error} when the regular expression cannot be read: its message says where.
 */
export function readWish({ text, isRegex, matchCase }: SearchWish, readRegex: RegexReader): LineWish | undefined {
  if (text === "") return undefined;
  if (isRegex) return { test: readRegex(matchCase ? text : `(?i)${text}`), lowerCase: undefined };
  if (matchCase) return { test: (line) => line.includes(text), lowerCase: undefined };
  const wanted = text.toLowerCase();
  return { test: (line) => line.toLowerCase().includes(wanted), lowerCase: wanted };
}

/** The lines of a log, as far as a search needs them. */
export interface SearchedLines {
  readonly count: number;
  text(number: number): string;
  /** Lines that may hold a text, and the line to go on from. */
  search(lowerCase: string, from: number): {
    readonly found: readonly { readonly line: number; readonly isSure: boolean }[];
    readonly next: number;
  };
}

/** One search, which goes on where it stopped: also when the log has grown. */
export class LogSearch {
  readonly #lines: SearchedLines;
  readonly #wish: LineWish;
  readonly #hits: number[] = [];
  #next = 0;
  /** Lines to look at before the search goes on behind them, and how many of them were. */
  #unsure: readonly { readonly line: number; readonly isSure: boolean }[] = [];
  #at = 0;
  #searched = 0;

  constructor(lines: SearchedLines, wish: LineWish) {
    this.#lines = lines;
    this.#wish = wish;
  }

  /** The numbers of the lines that were found so far, in their order. */
  get hits(): readonly number[] {
    return this.#hits;
  }

  /** Whether all lines that are there were looked at. */
  get isDone(): boolean {
    return this.#next >= this.#lines.count;
  }

  /** Looks on while there is time: `mayGoOn` is asked every hundred lines, or every megabyte. */
  step(mayGoOn: () => boolean): void {
    const { test, lowerCase } = this.#wish;
    while (!this.isDone) {
      if (lowerCase !== undefined && this.#unsure.length === 0) {
        const { found, next } = this.#lines.search(lowerCase, this.#next);
        // Lines are found in their order: those behind an unsure one wait until it was looked at.
        this.#unsure = found;
        this.#searched = next;
      } else if (lowerCase === undefined) {
        const end = Math.min(this.#lines.count, this.#next + 100);
        this.#unsure = Array.from({ length: end - this.#next }, (_, at) => ({ line: this.#next + at, isSure: false }));
        this.#searched = end;
      }
      for (let looked = 0; this.#at < this.#unsure.length; this.#at++) {
        const { line, isSure } = this.#unsure[this.#at]!;
        if (!isSure && looked++ % 100 === 99 && !mayGoOn()) return;
        if (isSure || test(plainText(this.#lines.text(line)))) this.#hits.push(line);
      }
      this.#at = 0;
      this.#unsure = [];
      this.#next = this.#searched;
      if (!mayGoOn()) return;
    }
  }

  /** The next line that was found behind a line, or before it; the search goes around. Undefined when there is none. */
  next(from: number, step: 1 | -1): number | undefined {
    if (this.#hits.length === 0) return undefined;
    if (step === 1) return this.#hits.find((hit) => hit > from) ?? this.#hits[0];
    return this.#hits.findLast((hit) => hit < from) ?? this.#hits.at(-1);
  }
}
