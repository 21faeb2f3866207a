/** Reads parts of a file, caches them, and limits their total. */
import { ParquetError } from "./bounds.ts";
import * as words from "../../text/en/parquet.ts";

/** A file of which any part can be read. */
export interface FileParts {
  readonly size: number;
  /** Reads bytes from one offset up to another; both are within the file. */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

interface Part {
  readonly from: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The maximum number of bytes that are requested at once: a request per page would take longer than the transfer. */
const READ_AHEAD = 256 * 1024;

/** The cached parts of a file. */
export class CachedFileParts {
  readonly #file: FileParts;
  readonly #parts: Part[] = [];
  #left: number;
  #failure: { readonly error: unknown } | undefined;

  /** Requests at most `max` bytes in total. */
  constructor(file: FileParts, max: number) {
    this.#file = file;
    this.#left = max;
  }

  get size(): number {
    return this.#file.size;
  }

  /** The error of a failed request, which does not mean that the file is damaged. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** The number of bytes that may still be requested. */
  get left(): number {
    return this.#left;
  }

  /** Reads bytes of the file, and some after them. @throws {ParquetError} if the limit is exceeded */
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
    if (bytes.length < to - from) throw new ParquetError(words.isIncomplete);
    this.#parts.push({ from, bytes });
    return bytes.subarray(0, to - from);
  }
}
