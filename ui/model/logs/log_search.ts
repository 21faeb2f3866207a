/**
 * The search in a log: in short steps that do not block the thread, and with regular expressions that take linear time.
 */
import { plainText } from "./terminal_text.ts";

/** A search query. */
export interface SearchQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly matchCase: boolean;
}

/** Reports whether a line matches. */
export type LineTest = (line: string) => boolean;

/** A compiled query. */
export interface CompiledQuery {
  readonly test: LineTest;
  /** The query in lower case for a case-insensitive text search, which can search bytes directly. */
  readonly lowerCase: string | undefined;
}

/** Compiles a regular expression in RE2 syntax. @throws {Error} if it is invalid */
export type RegexReader = (pattern: string) => LineTest;

/**
 * Compiles a query; returns undefined for an empty one.
 * @throws {Error} if the regular expression is invalid, with the position
 */
export function compileQuery(
  { text, isRegex, matchCase }: SearchQuery,
  readRegex: RegexReader,
): CompiledQuery | undefined {
  if (text === "") return undefined;
  if (isRegex) return { test: readRegex(matchCase ? text : `(?i)${text}`), lowerCase: undefined };
  if (matchCase) return { test: (line) => line.includes(text), lowerCase: undefined };
  const wanted = text.toLowerCase();
  return { test: (line) => line.toLowerCase().includes(wanted), lowerCase: wanted };
}

/** The lines of a log. */
export interface SearchedLines {
  readonly count: number;
  text(number: number): string;
  /** Returns lines that may contain a text, and the line at which to continue. */
  search(lowerCase: string, from: number): {
    readonly hits: readonly { readonly line: number; readonly isSure: boolean }[];
    readonly next: number;
  };
}

/** A search that runs incrementally, also while the log grows. */
export class LogSearch {
  readonly #lines: SearchedLines;
  readonly #query: CompiledQuery;
  readonly #hits: number[] = [];
  #next = 0;
  /** Candidate lines to check before the search continues after them, and how many are checked. */
  #uncertainMatches: readonly { readonly line: number; readonly isSure: boolean }[] = [];
  #at = 0;
  #searched = 0;

  constructor(lines: SearchedLines, wish: CompiledQuery) {
    this.#lines = lines;
    this.#query = wish;
  }

  /** The line numbers of matches so far, in order. */
  get hits(): readonly number[] {
    return this.#hits;
  }

  /** Whether all current lines were searched. */
  get isDone(): boolean {
    return this.#next >= this.#lines.count;
  }

  /** Continues searching until `mayGoOn`, which is called every hundred lines or every megabyte, returns false. */
  step(mayGoOn: () => boolean): void {
    const { test, lowerCase } = this.#query;
    while (!this.isDone) {
      if (lowerCase !== undefined && this.#uncertainMatches.length === 0) {
        const { hits, next } = this.#lines.search(lowerCase, this.#next);
        // Matches are in order: later ones wait until an uncertain line was checked.
        this.#uncertainMatches = hits;
        this.#searched = next;
      } else if (lowerCase === undefined) {
        const end = Math.min(this.#lines.count, this.#next + 100);
        this.#uncertainMatches = Array.from(
          { length: end - this.#next },
          (_, index) => ({ line: this.#next + index, isSure: false }),
        );
        this.#searched = end;
      }
      for (let looked = 0; this.#at < this.#uncertainMatches.length; this.#at++) {
        const { line, isSure } = this.#uncertainMatches[this.#at]!;
        if (!isSure && looked++ % 100 === 99 && !mayGoOn()) return;
        if (isSure || test(plainText(this.#lines.text(line)))) this.#hits.push(line);
      }
      this.#at = 0;
      this.#uncertainMatches = [];
      this.#next = this.#searched;
      if (!mayGoOn()) return;
    }
  }

  /** Returns the next match after or before a line, wrapping around; undefined without matches. */
  next(from: number, step: 1 | -1): number | undefined {
    if (this.#hits.length === 0) return undefined;
    if (step === 1) return this.#hits.find((hit) => hit > from) ?? this.#hits[0];
    return this.#hits.findLast((hit) => hit < from) ?? this.#hits.at(-1);
  }
}
