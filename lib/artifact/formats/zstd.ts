/**
 * Compression with zstd (RFC 8878), as streams. Loaded only where an archive is packed so: the frames are walked here,
 * as the library takes one that was cut for whole, and stops at one that is passed over.
 */
import { Blocks } from "./blocks.ts";
import { BehindEndError } from "./gunzip.ts";
import { isZstd } from "./zstd_mark.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes that are handed on at once. */
const CHUNK_BYTES = 65_536;

/** The most memory that a frame may ask for, as a power of two: what readers must be able to give is as much (8 MiB). */
const MOST_WINDOW_LOG = 23;

/** The level without one: it packs as small as gzip does, in a fraction of the time. */
const USUAL_LEVEL = 1;

/** The types of blocks: one byte that is repeated, and one that no writer knows. */
const BLOCK_TYPE = { repeated: 1, reserved: 3 };

/** Compresses; `level` goes from 1 to 9, what is lower is the usual one. */
export async function zstd(level = -1): Promise<TransformStream<Bytes, Bytes>> {
  const [{ constants, createZstdCompress }, { Duplex }] = await Promise.all([
    import("node:zlib"),
    import("node:stream"),
  ]);
  const params = {
    [constants.ZSTD_c_compressionLevel]: Math.max(USUAL_LEVEL, level),
    [constants.ZSTD_c_checksumFlag]: 1,
  };
  // deno-lint-ignore tiphys/no-double-cast -- what Node calls a stream of the web is one
  return Duplex.toWeb(createZstdCompress({ params, chunkSize: CHUNK_BYTES })) as unknown as TransformStream<
    Bytes,
    Bytes
  >;
}

/**
 * Decompresses one frame after the other; those that are passed over are left out.
 * @throws {BehindEndError} when something else follows, after all that came before it was given.
 * @throws {Error} when it is cut or damaged, or asks for too much memory.
 */
export async function* unzstd(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Bytes> {
  const { constants, createZstdDecompress } = await import("node:zlib");
  await using blocks = new Blocks(packed);
  const params = { [constants.ZSTD_d_windowLogMax]: MOST_WINDOW_LOG };
  const decoder = createZstdDecompress({ chunkSize: CHUNK_BYTES, params });
  // The reader hears of its failure below; one that comes before that must not end the process.
  decoder.on("error", () => {});
  let failed: { readonly error: unknown } | undefined;
  const feed = async () => {
    for (const pieces = frames(blocks);;) {
      const next = await pieces.next().catch((error: unknown) => {
        failed = { error };
        if (error instanceof BehindEndError) return undefined;
        throw error;
      });
      if (!next || next.done) return void decoder.end();
      const piece = next.value;
      // The piece is overwritten by the next one: it is through when it was written.
      await new Promise<void>((resolve, reject) => decoder.write(piece, (error) => error ? reject(error) : resolve()));
    }
  };
  const fed = feed().catch((error) => void decoder.destroy(error));
  try {
    yield* decoder as AsyncIterable<Bytes>;
  } catch (error) {
    if (failed) throw failed.error;
    throw damaged((error as Error).message.replace("Zstd decompress error: ", ""), error);
  } finally {
    decoder.destroy();
  }
  await fed;
  if (failed) throw failed.error;
}

/** The bytes of all frames but those that are passed over, each looked at as far as its length goes. */
async function* frames(blocks: Blocks): AsyncGenerator<Bytes> {
  for (let isFirst = true;;) {
    const magic = await blocks.take(4);
    if (!magic && isFirst) throw damaged("it ends too early");
    if (!magic) return;
    if (!isZstd(magic)) {
      if (isFirst) throw damaged("it does not begin like a zstd file");
      throw new BehindEndError("the archive is damaged: other bytes follow its compressed content");
    }
    if (magic[0] !== 0x28) {
      await blocks.skip(numberOf(await taken(blocks, 4)));
      continue;
    }
    // No piece holds the end of a frame and the beginning of the next: the library would forget what follows the end.
    yield* gathered(frame(magic, blocks));
    isFirst = false;
  }
}

/** A frame: its magic number, its header, its blocks, and its check sum. */
async function* frame(magic: Uint8Array, blocks: Blocks): AsyncGenerator<Uint8Array> {
  yield magic;
  const descriptor = (await taken(blocks, 1))[0]!;
  yield Uint8Array.of(descriptor);
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  if (dictionaryBytes > 0) throw damaged("it needs a dictionary");
  const header = (isSingle ? 0 : 1) + sizeBytes;
  if (header > 0) yield await taken(blocks, header);
  for (let isLast = false; !isLast;) {
    const start = await taken(blocks, 3);
    const word = numberOf(start);
    isLast = (word & 1) === 1;
    const type = word >> 1 & 3;
    if (type === BLOCK_TYPE.reserved) throw damaged("it has a block of a type that nobody knows");
    yield start;
    const size = type === BLOCK_TYPE.repeated ? 1 : word >> 3;
    const whole = blocks.now(size);
    if (whole) yield whole;
    else yield* blocks.part(size);
  }
  if (descriptor & 4) yield await taken(blocks, 4);
}

/** The same bytes in larger pieces, all in the same memory: each is good until the next is asked for. */
async function* gathered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Bytes> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  let length = 0;
  // What came before a failure is handed on: it may be all that is wanted.
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

async function taken(blocks: Blocks, size: number): Promise<Uint8Array> {
  const bytes = await blocks.take(size);
  if (!bytes) throw damaged("it ends too early");
  return bytes;
}

/** A number, its lowest byte first. */
function numberOf(bytes: Uint8Array): number {
  return bytes.reduceRight((number, byte) => number * 256 + byte, 0);
}

function damaged(why: string, cause?: unknown): Error {
  return new Error(`the archive is damaged: ${why}`, { cause });
}
