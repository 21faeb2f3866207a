/** Lists of stores, page by page: one that leads in a circle, or on and on through nothing, comes to an end. */
import type { Bytes, HttpResponse } from "../net/mod.ts";
import { StoreError } from "./driver.ts";

/** The most bytes of one page of a list: a thousand keys of the greatest length, each byte of them escaped, are less. */
const MOST_PAGE_BYTES = 32 << 20;

/** The most pages without an object, one after the other. */
const MOST_EMPTY_PAGES = 10_000;

/**
 * The text of a page, or of another answer with a line for each of many objects, whole.
 * @throws {StoreError} `final` where it has more bytes than any such answer has.
 */
export async function pageText(
  { body }: Pick<HttpResponse, "body">,
  what: string,
  most = MOST_PAGE_BYTES,
): Promise<string> {
  const parts: Bytes[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > most) throw new StoreError(`${what} failed: the answer has more than ${most} bytes`, "final");
    parts.push(part);
  }
  return await new Blob(parts).text();
}

/**
 * A key that a list has escaped, as those of a query are but for a plus.
 * @throws {StoreError} `final` where it is not escaped so: any other key would be another object's.
 */
export function listedKey(escaped: string, what: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch (error) {
    const message = `${what} failed: the key ${JSON.stringify(escaped.slice(0, 300))} is not escaped as keys are`;
    throw new StoreError(message, "final", undefined, { cause: error });
  }
}

/** Follows the pages of one list. */
export class Pages {
  readonly #what: string;
  #count = 0;
  #empty = 0;
  /** The token of a page before, and the number of the page at which another takes its place: twice as far each time. */
  #kept: string | undefined;
  #until = 1;

  /** `what`: the list, as an error names it. */
  constructor(what: string) {
    this.#what = what;
  }

  /**
   * The token of the page after one with so many objects, as it is.
   * @throws {StoreError} `final` where that page was there before, or nothing but empty pages come.
   */
  after(next: string | undefined, objects: number): string | undefined {
    if (next === undefined) return undefined;
    this.#empty = objects > 0 ? 0 : this.#empty + 1;
    if (this.#empty > MOST_EMPTY_PAGES) {
      throw new StoreError(`${this.#what} failed: ${MOST_EMPTY_PAGES} pages in a row have nothing in them`, "final");
    }
    if (next === this.#kept) {
      throw new StoreError(`${this.#what} failed: the pages of the list lead in a circle`, "final");
    }
    if (++this.#count >= this.#until) {
      this.#until *= 2;
      this.#kept = next;
    }
    return next;
  }
}
