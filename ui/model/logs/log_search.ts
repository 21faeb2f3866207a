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

/** Makes a test of a regular expression of RE2's syntax. @throws {Error} when it cannot be read. */
export type RegexReader = (pattern: string) => LineTest;

/**
 * Makes the test of a wish; undefined for an empty text.
 * @throws {Error} when the regular expression cannot be read: its message says where.
 */
export function readWish({ text, isRegex, matchCase }: SearchWish, readRegex: RegexReader): LineTest | undefined {
  if (text === "") return undefined;
  if (isRegex) return readRegex(matchCase ? text : `(?i)${text}`);
  if (matchCase) return (line) => line.includes(text);
  const wanted = text.toLowerCase();
  return (line) => line.toLowerCase().includes(wanted);
}

/** The lines of a log, as far as a search needs them. */
export interface SearchedLines {
  readonly count: number;
  text(number: number): string;
}

/** One search, which goes on where it stopped: also when the log has grown. */
export class LogSearch {
  readonly #lines: SearchedLines;
  readonly #test: LineTest;
  readonly #hits: number[] = [];
  #next = 0;

  constructor(lines: SearchedLines, test: LineTest) {
    this.#lines = lines;
    this.#test = test;
  }

  /** The numbers of the lines that were found so far, in their order. */
  get hits(): readonly number[] {
    return this.#hits;
  }

  /** Whether all lines that are there were looked at. */
  get isDone(): boolean {
    return this.#next >= this.#lines.count;
  }

  /** Looks on while there is time: `mayGoOn` is asked every hundred lines. */
  step(mayGoOn: () => boolean): void {
    while (!this.isDone) {
      const end = Math.min(this.#lines.count, this.#next + 100);
      for (; this.#next < end; this.#next++) {
        if (this.#test(plainText(this.#lines.text(this.#next)))) this.#hits.push(this.#next);
      }
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
