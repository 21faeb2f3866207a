/** Reads the lines between the chunks of a body. */
import type { ByteSource } from "./arrivals.ts";
import { latin1 } from "./latin1.ts";
import { MessageError } from "./message_error.ts";

/** Maximum bytes of a line: a chunk size with extensions, or a trailer. */
const MAX_LINE_BYTES = 4096;
const LF = 10;

/** Reads lines. */
export class LineReader {
  readonly #from: ByteSource;
  /** The beginning of the current line. */
  #text = "";

  constructor(from: ByteSource) {
    this.#from = from;
  }

  /**
   * Returns the next line without its end if it has arrived; otherwise undefined, and {@link next} waits for the rest.
   * @throws {MessageError} for a line that is too long.
   */
  nextIfArrived(): string | undefined {
    const { bytes } = this.#from;
    const index = bytes.indexOf(LF);
    const count = index < 0 ? bytes.length : index;
    if (this.#text.length + count > MAX_LINE_BYTES) {
      throw new MessageError(`a line between the chunks of the response has more than ${MAX_LINE_BYTES} bytes`, false);
    }
    const text = this.#text + latin1(bytes.subarray(0, count));
    if (index < 0) {
      this.#text = text;
      this.#from.consume(count);
      return undefined;
    }
    this.#text = "";
    this.#from.consume(count + 1);
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }

  /** Returns the next line without its end. @throws {MessageError} for a line that is too long or incomplete. */
  async next(): Promise<string> {
    for (;;) {
      const line = this.nextIfArrived();
      if (line !== undefined) return line;
      if (!await this.#from.readMore()) throw new MessageError("the response ended early", true);
    }
  }
}
