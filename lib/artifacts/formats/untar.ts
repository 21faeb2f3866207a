/** Unpacks a tar archive, compressed or not, as it arrives. */
import { type Folder, Tree, type TreeLimits } from "@tiphys/base/confined";
import { BlockReader } from "@tiphys/base/blocks";
import { gunzip, isGzip, MAX_BYTES_AFTER_END, TrailingBytesError } from "./gunzip.ts";
import { isZstd } from "@tiphys/base/zstd_mark";
import { BLOCK, isHeader, nextEntry, roundUpToBlocks, type TarEntry } from "./tar_header.ts";

/** Number of bytes of a compressed archive in which its first header can be found. */
export const SNIFFED_BYTES = 1024;

/** Maximum number of bytes that one byte of compressed content can expand to. */
const MAX_DEFLATE_RATIO = 1100;

/** The options of unpacking an archive. */
export interface UntarOptions {
  readonly limits: TreeLimits;
  /** Receives warnings about skipped entries, and about bytes after the archive. */
  readonly warn?: (line: string) => void;
}

/** Whether content begins like a compressed tar archive. `start` are its first bytes. */
export async function looksLikeTarGz(start: Uint8Array): Promise<boolean> {
  if (!isGzip(start)) return false;
  const { constants, gunzipSync } = await import("node:zlib");
  // A name in the header of a gzip file may need more bytes.
  for (const part of [start.subarray(0, SNIFFED_BYTES), start]) {
    try {
      const max = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_DEFLATE_RATIO * part.length };
      const block = gunzipSync(part, max).subarray(0, BLOCK);
      if (block.length === BLOCK) return isHeader(block);
    } catch {
      return false; // It begins like a gzip file, but is not valid.
    }
  }
  return false;
}

/**
 * Unpacks an archive into a folder. Content that begins like a gzip or zstd file is decompressed. Owners and set-uid
 * bits are dropped.
 * @throws {OutsideError} when an entry would be, or lead, outside of the folder.
 * @throws {UnpackLimitError} when a limit is exceeded.
 * @throws {Error} when it is damaged. Entries before the error remain.
 */
export async function untar(
  archive: AsyncIterable<Uint8Array>,
  folder: Folder,
  { limits, warn = () => {} }: UntarOptions,
): Promise<void> {
  let read = 0;
  const source = countBytes(archive, (bytes) => read += bytes);
  await using start = new BlockReader(source);
  const magic = await start.readExactly(4);
  const whole = joinBlocks(magic, start);
  await using blocks = new BlockReader(magic ? await decompress(magic, whole) : whole);
  using tree = new Tree(folder, { limits, kind: "artifact" });
  while (true) {
    const entry = await nextEntry(blocks);
    if ("end" in entry) {
      if (entry.end === "cut" && read > 0) warn("the archive has no end mark: it may have been cut");
      break;
    }
    await unpack(tree, blocks, entry, { packed: () => read, warn });
  }
  try {
    await readToEnd(blocks, warn);
  } catch (error) {
    if (!(error instanceof TrailingBytesError)) throw error;
    warn("ignored the bytes after the end of the compressed archive");
  }
  tree.finish();
}

/** Returns the content as tar, whatever its compression. */
async function decompress(
  magic: Uint8Array,
  whole: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  if (isGzip(magic)) return gunzip(whole);
  if (!isZstd(magic)) return whole;
  // Loaded only for archives compressed with zstd.
  const { unzstd } = await import("./zstd.ts");
  return unzstd(whole);
}

async function* countBytes(
  archive: AsyncIterable<Uint8Array>,
  add: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const part of archive) {
    add(part.length);
    yield part;
  }
}

async function* joinBlocks(first: Uint8Array | undefined, reader: BlockReader): AsyncGenerator<Uint8Array> {
  if (!first) return;
  yield first;
  for (let part = await reader.readUpTo(BLOCK * 256); part; part = await reader.readUpTo(BLOCK * 256)) yield part;
}

interface UnpackContext {
  /** Number of bytes of the archive read so far. */
  readonly packed: () => number;
  readonly warn: (line: string) => void;
}

async function unpack(
  tree: Tree,
  blocks: BlockReader,
  entry: TarEntry,
  { packed, warn }: UnpackContext,
): Promise<void> {
  using place = tree.locate(entry.name);
  // In old archives, only the trailing slash of its name marks a folder.
  const type = entry.type === "0" && entry.name.endsWith("/") ? "5" : entry.type;
  switch (type) {
    case "0":
    case "7":
      if (!place) break;
      await tree.file(place, { ...entry, content: contentOf(blocks, entry), packed });
      return await blocks.skip(roundUpToBlocks(entry.size) - entry.size);
    case "5":
      if (place) tree.folder(place, entry.mode);
      return;
    case "2":
      if (place) tree.link(place, entry.link);
      return;
    case "1":
      if (place) tree.hardLink(place, entry.link);
      return;
    case "3":
    case "4":
    case "6":
      // Devices and pipes are not supported and have no content.
      return warn(`${entry.name} is a pipe or device, which is not unpacked`);
    default:
      warn(`${entry.name} is of the type ${JSON.stringify(entry.type)}, which is not unpacked`);
  }
  for await (const part of blocks.part(roundUpToBlocks(entry.size))) tree.countSkipped(part.length, packed());
}

/** Yields the content of a file. A number is the size of a hole. */
function contentOf(
  blocks: BlockReader,
  { size, sparse }: TarEntry,
): AsyncIterable<Uint8Array | number> | Iterable<Uint8Array> {
  if (sparse) return fillHoles(blocks, sparse);
  // Small files have usually arrived as a whole.
  const whole = blocks.readIfArrived(size);
  return whole ? [whole] : blocks.part(size);
}

async function* fillHoles(
  blocks: BlockReader,
  { size, pieces }: NonNullable<TarEntry["sparse"]>,
): AsyncGenerator<Uint8Array | number> {
  let offset = 0;
  for (const piece of pieces) {
    if (piece.offset > offset) yield piece.offset - offset;
    yield* blocks.part(piece.size);
    offset = piece.offset + piece.size;
  }
  if (size > offset) yield size - offset;
}

/** Reads to the end of the compressed content, where its checksum is verified. */
async function readToEnd(blocks: BlockReader, warn: (line: string) => void): Promise<void> {
  for (let read = 0; read <= MAX_BYTES_AFTER_END;) {
    const part = await blocks.readUpTo(BLOCK * 128);
    if (!part) return;
    read += part.length;
  }
  warn(`more than ${MAX_BYTES_AFTER_END} bytes follow the end of the archive: they are ignored`);
}
