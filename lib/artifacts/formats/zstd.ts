/**
 * Compression with zstd (RFC 8878), as streams. Loaded on demand. Frames are parsed here, because the library accepts a
 * truncated frame, and stops at a skippable one.
 */
import { BlockReader } from "@tiphys/base/blocks";
import { TrailingBytesError } from "./gunzip.ts";
import { isZstd } from "@tiphys/base/zstd_mark";

type Bytes = Uint8Array<ArrayBuffer>;

/** Size of output chunks in bytes. */
const CHUNK_BYTES = 65_536;

/** Maximum window of a frame, as a power of two: readers must support at least this much memory (8 MiB). */
const MAX_WINDOW_LOG = 23;

/** The default level, which compresses as well as gzip in a fraction of the time. */
const DEFAULT_LEVEL = 1;

/** Block types: a repeated byte, and the reserved type. */
const BLOCK_TYPE = { repeated: 1, reserved: 3 };

/** Compresses with a level from 1 to 9. Lower values mean the default. */
export async function zstd(level = -1): Promise<TransformStream<Bytes, Bytes>> {
  const [{ constants, createZstdCompress }, { Duplex }] = await Promise.all([
    import("node:zlib"),
    import("node:stream"),
  ]);
  const params = {
    [constants.ZSTD_c_compressionLevel]: Math.max(DEFAULT_LEVEL, level),
    [constants.ZSTD_c_checksumFlag]: 1,
  };
  // deno-lint-ignore tiphys/no-double-cast -- what Node calls a stream of the web is one
  return Duplex.toWeb(createZstdCompress({ params, chunkSize: CHUNK_BYTES })) as unknown as TransformStream<
    Bytes,
    Bytes
  >;
}

/**
 * Decompresses one frame after the other. Skippable frames are ignored.
 * @throws {TrailingBytesError} when other bytes follow, after all content before them was yielded.
 * @throws {Error} when it is truncated or damaged, or needs too much memory.
 */
export async function* unzstd(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Bytes> {
  const { constants, createZstdDecompress } = await import("node:zlib");
  await using blocks = new BlockReader(packed);
  const params = { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG };
  const decoder = createZstdDecompress({ chunkSize: CHUNK_BYTES, params });
  // The reader receives the failure below; an earlier one must not end the process.
  decoder.on("error", () => {});
  let failed: { readonly error: unknown } | undefined;
  const feed = async () => {
    for (const pieces = frames(blocks);;) {
      const next = await pieces.next().catch((error: unknown) => {
        failed = { error };
        if (error instanceof TrailingBytesError) return undefined;
        throw error;
      });
      if (!next || next.done) return void decoder.end();
      const piece = next.value;
      // The piece is overwritten by the next one, so wait until it was processed.
      await new Promise<void>((resolve, reject) => decoder.write(piece, (error) => error ? reject(error) : resolve()));
    }
  };
  const fed = feed().catch((error) => void decoder.destroy(error));
  try {
    yield* decoder as AsyncIterable<Bytes>;
  } catch (error) {
    if (failed) throw failed.error;
    throw damageError((error as Error).message.replace("Zstd decompress error: ", ""), error);
  } finally {
    decoder.destroy();
  }
  await fed;
  if (failed) throw failed.error;
}

/** Yields the bytes of all frames except skippable ones, parsed as far as needed to find their length. */
async function* frames(blocks: BlockReader): AsyncGenerator<Bytes> {
  for (let isFirst = true;;) {
    const magic = await blocks.readExactly(4);
    if (!magic && isFirst) throw damageError("it ends too early");
    if (!magic) return;
    if (!isZstd(magic)) {
      if (isFirst) throw damageError("it is not a zstd file");
      throw new TrailingBytesError("the archive is damaged: other bytes follow its compressed content");
    }
    if (magic[0] !== 0x28) {
      await blocks.skip(numberOf(await readBytes(blocks, 4)));
      continue;
    }
    // A chunk must not contain the end of a frame and the start of the next, because the library would drop the bytes
    // after the end.
    yield* joinIntoChunks(frame(magic, blocks));
    isFirst = false;
  }
}

/** Yields a frame: its magic number, header, blocks, and checksum. */
async function* frame(magic: Uint8Array, blocks: BlockReader): AsyncGenerator<Uint8Array> {
  yield magic;
  const descriptor = (await readBytes(blocks, 1))[0]!;
  yield Uint8Array.of(descriptor);
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  if (dictionaryBytes > 0) throw damageError("it needs a dictionary");
  const header = (isSingle ? 0 : 1) + sizeBytes;
  if (header > 0) yield await readBytes(blocks, header);
  for (let isLast = false; !isLast;) {
    const start = await readBytes(blocks, 3);
    const word = numberOf(start);
    isLast = (word & 1) === 1;
    const type = word >> 1 & 3;
    if (type === BLOCK_TYPE.reserved) throw damageError("it has a block of an unknown type");
    yield start;
    const size = type === BLOCK_TYPE.repeated ? 1 : word >> 3;
    const whole = blocks.readIfArrived(size);
    if (whole) yield whole;
    else yield* blocks.part(size);
  }
  if (descriptor & 4) yield await readBytes(blocks, 4);
}

/** Yields the same bytes in larger chunks that share one buffer: each is valid until the next is requested. */
async function* joinIntoChunks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Bytes> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  let length = 0;
  // Bytes before a failure are yielded, because the reader may need only them.
  let failed: { readonly error: unknown } | undefined;
  try {
    for await (const piece of pieces) {
      for (let rest = piece; rest.length > 0;) {
        const fits = rest.subarray(0, CHUNK_BYTES - length);
        chunk.set(fits, length);
        length += fits.length;
        rest = rest.subarray(fits.length);
        if (length < CHUNK_BYTES) continue;
        yield chunk;
        length = 0;
      }
    }
  } catch (error) {
    failed = { error };
  }
  if (length > 0) yield chunk.subarray(0, length);
  if (failed) throw failed.error;
}

async function readBytes(blocks: BlockReader, size: number): Promise<Uint8Array> {
  const bytes = await blocks.readExactly(size);
  if (!bytes) throw damageError("it ends too early");
  return bytes;
}

/** Parses a little-endian number. */
function numberOf(bytes: Uint8Array): number {
  return bytes.reduceRight((number, byte) => number * 256 + byte, 0);
}

function damageError(reason: string, cause?: unknown): Error {
  return new Error(`the archive is damaged: ${reason}`, { cause });
}
