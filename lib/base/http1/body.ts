/** The body of an answer, in whichever of the three ways it comes. */
import type { AnswerHead } from "./answer_head.ts";
import type { Arrivals, Bytes } from "./arrivals.ts";
import { LineReader } from "./line_reader.ts";
import { MessageError } from "./message_error.ts";

/** The way in which the end of a body is found. */
export type Framing = { readonly kind: "length"; readonly size: number } | { readonly kind: "chunked" | "to the end" };

/** The most lines behind the last chunk. */
const MAX_TRAILERS = 100;

/**
 * The way in which the body of an answer ends, as the method of its request and its head decide.
 * @throws {MessageError} for a head that does not say it.
 */
export function framingOf(method: string, { status, headers }: AnswerHead): Framing {
  if (method === "HEAD" || status === 204 || status === 304) return { kind: "length", size: 0 };
  const coding = headers.get("transfer-encoding")?.toLowerCase();
  if (coding === "chunked") return { kind: "chunked" };
  if (coding !== undefined && coding !== "identity") {
    throw new MessageError(`it sends the coding ${JSON.stringify(coding)}, which was not asked for`, false);
  }
  const length = headers.get("content-length");
  if (length === undefined) return { kind: "to the end" };
  const [size = "", ...others] = new Set(length.split(",").map((text) => text.trim()));
  if (others.length > 0 || !/^\d{1,15}$/.test(size)) {
    throw new MessageError("the Content-Length of its answer is no length", false);
  }
  return { kind: "length", size: Number(size) };
}

/** Reads a body, part by part. */
export class Body {
  readonly #from: Arrivals;
  readonly #framing: Framing;
  readonly #lines: LineReader;
  /** Bytes until the end of the body, or of its chunk. */
  #left: number;
  #begun = false;
  #isOver = false;

  constructor(from: Arrivals, framing: Framing) {
    this.#from = from;
    this.#framing = framing;
    this.#lines = new LineReader(from);
    this.#left = framing.kind === "length" ? framing.size : framing.kind === "chunked" ? 0 : Infinity;
    this.#isOver = framing.kind === "length" && framing.size === 0;
  }

  /** Whether no byte of it is missing: of chunks, and of what ends with its connection, that shows at the end alone. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * The bytes that come next, as the connection hands them out, in `into` if it takes that; undefined at the end.
   * @throws {MessageError} for a body that breaks off, and for chunks that are none.
   */
  async next(into?: Bytes): Promise<Bytes | undefined> {
    if (this.#isOver) return undefined;
    if (this.#left === 0) {
      // Nearly always the lines have come, and nothing is waited for.
      if (this.#begun && (this.#lines.now() ?? await this.#lines.next()) !== "") {
        throw new MessageError("a chunk of its answer is longer than it says", false);
      }
      this.#begun = true;
      this.#left = sizeOf(this.#lines.now() ?? await this.#lines.next());
      if (this.#left === 0) return await this.#skipTrailers();
    }
    const part = await this.#from.some(this.#left, into);
    if (part === undefined) return this.#connectionEnded();
    this.#left -= part.length;
    this.#isOver = this.#left === 0 && this.#framing.kind === "length";
    return part;
  }

  #connectionEnded(): undefined {
    if (this.#framing.kind === "chunked") throw new MessageError("its answer broke off before its end", true);
    if (this.#framing.kind === "length") {
      const { size } = this.#framing;
      throw new MessageError(`its answer broke off after ${size - this.#left} of ${size} bytes`, true);
    }
    this.#isOver = true;
  }

  /** Headers behind a body, which nobody reads. */
  async #skipTrailers(): Promise<undefined> {
    for (let count = 0; (this.#lines.now() ?? await this.#lines.next()) !== ""; count++) {
      if (count === MAX_TRAILERS) {
        throw new MessageError(`more than ${MAX_TRAILERS} headers follow the body of its answer`, false);
      }
    }
    this.#isOver = true;
  }
}

/** The size that the line in front of a chunk says. */
function sizeOf(line: string): number {
  const [, digits] = /^([0-9a-f]{1,13})\s*(?:;|$)/i.exec(line) ?? [];
  if (digits === undefined) throw new MessageError("a chunk of its answer has no length", false);
  return parseInt(digits, 16);
}
