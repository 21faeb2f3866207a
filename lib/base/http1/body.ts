/** Reads the body of a response: with a length, in chunks, or until the connection ends. */
import type { ResponseHead } from "./answer_head.ts";
import type { Bytes, ByteSource } from "./arrivals.ts";
import { LineReader } from "./line_reader.ts";
import { MessageError } from "./message_error.ts";

/** The way the end of a body is detected. */
export type Framing = { readonly kind: "length"; readonly size: number } | { readonly kind: "chunked" | "to the end" };

/** Maximum number of trailers after the last chunk. */
const MAX_TRAILERS = 100;

/**
 * Returns the framing of a response body, from the request's method and the response's head.
 * @throws {MessageError} when the head is invalid.
 */
export function framingOf(method: string, { status, headers }: ResponseHead): Framing {
  if (method === "HEAD" || status === 204 || status === 304) return { kind: "length", size: 0 };
  const coding = headers.get("transfer-encoding")?.toLowerCase();
  if (coding === "chunked") return { kind: "chunked" };
  if (coding !== undefined && coding !== "identity") {
    throw new MessageError(`the response has the unsupported transfer coding ${JSON.stringify(coding)}`, false);
  }
  const length = headers.get("content-length");
  if (length === undefined) return { kind: "to the end" };
  const [size = "", ...others] = new Set(length.split(",").map((text) => text.trim()));
  if (others.length > 0 || !/^\d{1,15}$/.test(size)) {
    throw new MessageError("the Content-Length of the response is invalid", false);
  }
  return { kind: "length", size: Number(size) };
}

/** Reads a body in parts. */
export class Body {
  readonly #from: ByteSource;
  readonly #framing: Framing;
  readonly #lines: LineReader;
  /** Bytes left in the body or the current chunk. */
  #left: number;
  #begun = false;
  #isOver = false;

  constructor(from: ByteSource, framing: Framing) {
    this.#from = from;
    this.#framing = framing;
    this.#lines = new LineReader(from);
    this.#left = framing.kind === "length" ? framing.size : framing.kind === "chunked" ? 0 : Infinity;
    this.#isOver = framing.kind === "length" && framing.size === 0;
  }

  /**
   * Whether the body is complete. For a chunked body, or one that ends with the connection, true only after its end was
   * read.
   */
  get isComplete(): boolean {
    return this.#isOver;
  }

  /**
   * Returns the next bytes as the connection delivers them, in `into` if the connection uses it; undefined at the end.
   * @throws {MessageError} for an incomplete body or an invalid chunk.
   */
  async next(into?: Bytes): Promise<Bytes | undefined> {
    if (this.#isOver) return undefined;
    if (this.#left === 0) {
      // Usually the lines have arrived already, so that nothing is awaited.
      if (this.#begun && (this.#lines.nextIfArrived() ?? await this.#lines.next()) !== "") {
        throw new MessageError("a chunk of the response is longer than its size", false);
      }
      this.#begun = true;
      this.#left = sizeOf(this.#lines.nextIfArrived() ?? await this.#lines.next());
      if (this.#left === 0) return await this.#skipTrailers();
    }
    const part = await this.#from.some(this.#left, into);
    if (part === undefined) return this.#connectionEnded();
    this.#left -= part.length;
    this.#isOver = this.#left === 0 && this.#framing.kind === "length";
    return part;
  }

  #connectionEnded(): undefined {
    if (this.#framing.kind === "chunked") throw new MessageError("the response ended early", true);
    if (this.#framing.kind === "length") {
      const { size } = this.#framing;
      throw new MessageError(`the response ended after ${size - this.#left} of ${size} bytes`, true);
    }
    this.#isOver = true;
  }

  /** Skips the trailers. */
  async #skipTrailers(): Promise<undefined> {
    for (let count = 0; (this.#lines.nextIfArrived() ?? await this.#lines.next()) !== ""; count++) {
      if (count === MAX_TRAILERS) {
        throw new MessageError(`more than ${MAX_TRAILERS} headers follow the body of the response`, false);
      }
    }
    this.#isOver = true;
  }
}

/** Parses the size in the line before a chunk. */
function sizeOf(line: string): number {
  const [, digits] = /^([0-9a-f]{1,13})\s*(?:;|$)/i.exec(line) ?? [];
  if (digits === undefined) throw new MessageError("a chunk of the response has no size", false);
  return parseInt(digits, 16);
}
