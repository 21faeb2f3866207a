/** Limits on paged lists of stores: stops lists whose pages form a cycle, or are empty without end. */
import type { Bytes, HttpResponse } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";

/** Maximum size of a page in bytes: more than a thousand keys of maximum length with all bytes escaped. */
const MAX_PAGE_BYTES = 32 << 20;

/** Maximum number of consecutive pages without an object. */
const MAX_EMPTY_PAGES = 10_000;

/**
 * Returns the text of a page, or of another response with one line per object.
 * @throws {StoreError} `final` when it exceeds the maximum size.
 */
export async function readPageText(
  { body }: Pick<HttpResponse, "body">,
  operation: string,
  max = MAX_PAGE_BYTES,
): Promise<string> {
  const parts: Bytes[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > max) throw new StoreError(`${operation} failed: the response has more than ${max} bytes`, "final");
    parts.push(part);
  }
  return await new Blob(parts).text();
}

/**
 * Decodes a key that a list has percent-encoded.
 * @throws {StoreError} `final` for an invalid encoding, because another key would be another object.
 */
export function decodeListedKey(escaped: string, operation: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch (error) {
    const message = `${operation} failed: the key ${JSON.stringify(escaped.slice(0, 300))} is not escaped as keys are`;
    throw new StoreError(message, "final", undefined, { cause: error });
  }
}

/** Follows the pages of one list. */
export class Pages {
  readonly #what: string;
  #count = 0;
  #empty = 0;
  /**
   * The token of an earlier page for the detection of cycles, and the page at which it is replaced; the distance
   * doubles each time.
   */
  #earlierToken: string | undefined;
  #until = 1;

  /** @param operation the list, as named in errors. */
  constructor(operation: string) {
    this.#what = operation;
  }

  /**
   * Returns the token of the next page, unchanged, after a page with this number of objects.
   * @throws {StoreError} `final` when that page was read before, or there are only empty pages.
   */
  nextToken(next: string | undefined, objects: number): string | undefined {
    if (next === undefined) return undefined;
    this.#empty = objects > 0 ? 0 : this.#empty + 1;
    if (this.#empty > MAX_EMPTY_PAGES) {
      throw new StoreError(`${this.#what} failed: ${MAX_EMPTY_PAGES} consecutive pages are empty`, "final");
    }
    if (next === this.#earlierToken) {
      throw new StoreError(`${this.#what} failed: the pages of the list form a cycle`, "final");
    }
    if (++this.#count >= this.#until) {
      this.#until *= 2;
      this.#earlierToken = next;
    }
    return next;
  }
}
