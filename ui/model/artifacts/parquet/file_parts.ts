/** A file that is read in parts: what was read once is kept, and all of it has a bound. */
import { ParquetError } from "./bounds.ts";
import * as words from "../../text/en/parquet.ts";

/** A file of which any part can be had. */
export interface FileParts {
  readonly size: number;
  /** Bytes from one place up to another; both lie within the file. */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

interface Part {
  readonly from: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Bytes that are asked for at once: a request for each page would take longer than the bytes do. */
const READ_AHEAD = 256 * 1024;

/** The parts of a file that were read. */
export class KeptParts {
  readonly #file: FileParts;
  readonly #parts: Part[] = [];
  #left: number;
  #failure: { readonly error: unknown } | undefined;

  /** `most` bytes are asked for, and no more. */
  constructor(file: FileParts, most: number) {
    this.#file = file;
    this.#left = most;
  }

  get size(): number {
    return this.#file.size;
  }

  /** The error of a request that failed: it says nothing about the file. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** The bytes that may still be asked for. */
  get left(): number {
    return this.#left;
  }

  /** Bytes of the file, which are asked for with some of those behind them. @throws {ParquetError} for too many. */
  async read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    if (!(from >= 0 && from <= to && to <= this.size)) throw new ParquetError(words.damaged);
    const held = this.#parts.find((part) => part.from <= from && to <= part.from + part.bytes.length);
    if (held) return held.bytes.subarray(from - held.from, to - held.from);
    if (to - from > this.#left) throw new ParquetError(words.tooManyBytes);
    const end = Math.max(to, Math.min(from + Math.min(READ_AHEAD, this.#left), this.size));
    this.#left -= end - from;
    const bytes = await this.#file.read(from, end).catch((error) => {
      this.#failure = { error };
      throw error;
    });
    if (bytes.length < to - from) throw new ParquetError(words.brokeOff);
    this.#parts.push({ from, bytes });
    return bytes.subarray(0, to - from);
  }
}
