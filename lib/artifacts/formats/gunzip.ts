/** Decompresses archives (RFC 1952) as a stream: one member after the other, and the bytes after them. */
import { BlockReader } from "@tiphys/base/blocks";

type Bytes = Uint8Array<ArrayBuffer>;

/** Size of output chunks, and of reads from the compressed content, in bytes. */
const CHUNK_BYTES = 65_536;

const DEFLATE = 8;
/** Flags for optional parts of a member's header. */
const FLAG = { checkSum: 2, extra: 4, name: 8, comment: 16 };

/** Maximum length of a name or comment in the header of a member, in bytes. */
const MAX_HEADER_TEXT = 65_536;

/** Maximum number of bytes that are read after the end of an archive's content. */
export const MAX_BYTES_AFTER_END = 64 << 20;

/**
 * Error for bytes after the compressed content that are neither a member nor (a limited number of) zeros. All content
 * before them was valid.
 */
export class TrailingBytesError extends Error {
  override readonly name = "TrailingBytesError";
}

/** Whether content begins like a gzip file. */
export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/**
 * Decompresses one member after the other, because a file may consist of several. Zeros after them are skipped.
 * @throws {TrailingBytesError} when other bytes follow, after all content before them was yielded.
 * @throws {Error} when it is truncated or damaged.
 */
export async function* gunzip(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Bytes> {
  await using source = new Source(packed);
  for (let isFirst = true; await isMember(source, isFirst); isFirst = false) yield* decodeMember(source);
}

/** Compressed content. One piece can be returned to it. */
class Source implements AsyncDisposable {
  readonly #blocks: BlockReader;
  /** Number of zeros after members so far. */
  #zeros = 0;
  #unread: Uint8Array | undefined;

  constructor(packed: AsyncIterable<Uint8Array>) {
    this.#blocks = new BlockReader(packed);
  }

  async readPiece(limit = CHUNK_BYTES): Promise<Uint8Array | undefined> {
    const piece = this.#unread ?? await this.#blocks.readUpTo(limit);
    this.#unread = piece && piece.length > limit ? piece.subarray(limit) : undefined;
    return piece?.subarray(0, limit);
  }

  /** Returns the end of the last piece that was read. It is only valid until the next read. */
  unread(piece: Uint8Array): void {
    this.#unread = piece.length > 0 ? piece : undefined;
  }

  /**
   * Skips zeros, piece by piece.
   * @throws {TrailingBytesError} when there are more zeros than padding needs.
   */
  async skipZeros(): Promise<void> {
    while (this.#zeros <= MAX_BYTES_AFTER_END) {
      const piece = await this.readPiece();
      if (!piece) return;
      const other = piece.findIndex((byte) => byte !== 0);
      if (other >= 0) {
        this.#zeros += other;
        return this.unread(piece.subarray(other));
      }
      this.#zeros += piece.length;
    }
    throw new TrailingBytesError(
      `the archive is damaged: more than ${MAX_BYTES_AFTER_END} zeros follow its compressed content`,
    );
  }

  async byte(): Promise<number> {
    const [byte] = await this.readPiece(1) ?? [];
    if (byte === undefined) throw damageError("unexpected end of file");
    return byte;
  }

  async bytes(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count);
    for (let index = 0; index < count; index++) bytes[index] = await this.byte();
    return bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#blocks[Symbol.asyncDispose]();
  }
}

/** Reads the header of the next member. False at the end. */
async function isMember(source: Source, isFirst: boolean): Promise<boolean> {
  if (!isFirst) await source.skipZeros();
  const first = (await source.readPiece(1))?.[0];
  if (first === undefined && !isFirst) return false;
  const second = first === 0x1f ? (await source.readPiece(1))?.[0] : undefined;
  if (second !== 0x8b) {
    if (isFirst) throw damageError("it is not a gzip file");
    throw new TrailingBytesError("the archive is damaged: other bytes follow its compressed content");
  }
  const [method, flags = 0] = await source.bytes(8);
  if (method !== DEFLATE) throw damageError(`its compression method ${method} is unknown`);
  if (flags & FLAG.extra) {
    const [low = 0, high = 0] = await source.bytes(2);
    for (let left = low + 256 * high; left > 0; left--) await source.byte();
  }
  for (const flag of [FLAG.name, FLAG.comment]) {
    if (flags & flag) await skipZeroTerminated(source);
  }
  if (flags & FLAG.checkSum) await source.bytes(2);
  return true;
}

/** Skips a name or comment, including its terminating zero. */
async function skipZeroTerminated(source: Source): Promise<void> {
  for (let length = 0; await source.byte() !== 0; length++) {
    if (length >= MAX_HEADER_TEXT) throw damageError(`its header has a text of more than ${MAX_HEADER_TEXT} bytes`);
  }
}

async function* decodeMember(source: Source): AsyncGenerator<Bytes> {
  const { crc32, createInflateRaw } = await import("node:zlib");
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES });
  let failed: { readonly error: unknown } | undefined;
  const feed = async () => {
    for (let fed = 0;;) {
      const piece = await source.readPiece().catch((error: unknown) => {
        failed = { error };
        throw error;
      });
      if (!piece) return void inflate.end();
      // The piece is valid until the next read, so wait until it was processed.
      await new Promise<void>((resolve, reject) => inflate.write(piece, (error) => error ? reject(error) : resolve()));
      const used = inflate.bytesWritten - fed;
      fed += piece.length;
      if (used < piece.length) return source.unread(piece.subarray(used));
    }
  };
  const fed = feed().catch((error) => inflate.destroy(error));
  let sum = 0;
  let size = 0;
  try {
    for await (const part of inflate as AsyncIterable<Bytes>) {
      sum = crc32(part, sum);
      size = (size + part.length) % 2 ** 32;
      yield part;
    }
  } catch (error) {
    if (failed) throw failed.error;
    throw damageError((error as Error).message, error);
  } finally {
    inflate.destroy();
  }
  await fed;
  const trailer = new DataView((await source.bytes(8)).buffer);
  if (trailer.getUint32(0, true) !== sum) throw damageError("incorrect data check");
  if (trailer.getUint32(4, true) !== size) throw damageError("incorrect length check");
}

function damageError(reason: string, cause?: unknown): Error {
  return new Error(`the archive is damaged: ${reason}`, { cause });
}
