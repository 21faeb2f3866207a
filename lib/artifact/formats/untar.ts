/** Unpacking a tar archive, compressed or not, as it comes. */
import { type Folder, Tree, type TreeLimits } from "../../confined/mod.ts";
import { Blocks } from "./blocks.ts";
import { BehindEndError, gunzip, isGzip, MOST_BEHIND_END } from "./gunzip.ts";
import { isZstd } from "./zstd_mark.ts";
import { BLOCK, isHeader, nextEntry, padded, type TarEntry } from "./tar_header.ts";

/** The bytes of a compressed archive that are enough to find its first header in. */
export const SNIFFED_BYTES = 1024;

/** The most bytes that one byte of compressed content can become. */
const MOST_DEFLATE_RATIO = 1100;

/** The options of unpacking an archive. */
export interface UntarOptions {
  readonly limits: TreeLimits;
  /** Told of entries that are left out, and of what follows the archive. */
  readonly warn?: (line: string) => void;
}

/** Whether content begins like a compressed tar archive, of which `start` are the first bytes. */
export async function beginsLikeTarGz(start: Uint8Array): Promise<boolean> {
  if (!isGzip(start)) return false;
  const { constants, gunzipSync } = await import("node:zlib");
  // A name in the header of a gzip file can take more than what is enough otherwise.
  for (const part of [start.subarray(0, SNIFFED_BYTES), start]) {
    try {
      const most = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_DEFLATE_RATIO * part.length };
      const block = gunzipSync(part, most).subarray(0, BLOCK);
      if (block.length === BLOCK) return isHeader(block);
    } catch {
      return false; // It begins like a gzip file and is none.
    }
  }
  return false;
}

/**
 * Unpacks an archive into a folder; what begins like a file of gzip or zstd is decompressed. Owners are not kept, nor set-uid bits.
 * @throws {OutsideError} when an entry would lie, or lead, outside of the folder; {@link UnpackedTooMuchError} when there
 *   is more than the limits allow; {@link Error} when it is damaged. What was unpacked before is left.
 */
export async function untar(
  archive: AsyncIterable<Uint8Array>,
  folder: Folder,
  { limits, warn = () => {} }: UntarOptions,
): Promise<void> {
  let read = 0;
  const source = counted(archive, (bytes) => read += bytes);
  await using start = new Blocks(source);
  const magic = await start.take(4);
  const whole = joined(magic, start);
  await using blocks = new Blocks(magic ? await decompressed(magic, whole) : whole);
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
    await readBehindEnd(blocks, warn);
  } catch (error) {
    if (!(error instanceof BehindEndError)) throw error;
    warn("other bytes follow the compressed archive, which is whole: they are left out");
  }
  tree.finish();
}

/** The content as tar, whatever it is packed with. */
async function decompressed(
  magic: Uint8Array,
  whole: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  if (isGzip(magic)) return gunzip(whole);
  if (!isZstd(magic)) return whole;
  // Loaded only where an archive is packed so.
  const { unzstd } = await import("./zstd.ts");
  return unzstd(whole);
}

async function* counted(archive: AsyncIterable<Uint8Array>, add: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const part of archive) {
    add(part.length);
    yield part;
  }
}

async function* joined(first: Uint8Array | undefined, rest: Blocks): AsyncGenerator<Uint8Array> {
  if (!first) return;
  yield first;
  for (let part = await rest.upTo(BLOCK * 256); part; part = await rest.upTo(BLOCK * 256)) yield part;
}

interface Reading {
  /** Bytes that were read of the archive so far. */
  readonly packed: () => number;
  readonly warn: (line: string) => void;
}

async function unpack(tree: Tree, blocks: Blocks, entry: TarEntry, { packed, warn }: Reading): Promise<void> {
  using place = tree.place(entry.name);
  // Old archives know a folder only by the slash behind its name.
  const type = entry.type === "0" && entry.name.endsWith("/") ? "5" : entry.type;
  switch (type) {
    case "0":
    case "7":
      if (!place) break;
      await tree.file(place, { ...entry, content: contentOf(blocks, entry), packed });
      return await blocks.skip(padded(entry.size) - entry.size);
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
      // Devices and pipes are nothing that travels, and have no content.
      return warn(`${entry.name} is a pipe or device, which is not unpacked`);
    default:
      warn(`${entry.name} is of the type ${JSON.stringify(entry.type)}, which is not unpacked`);
  }
  await blocks.skip(padded(entry.size));
}

/** The content of a file; a number stands for a hole of so many bytes. */
function contentOf(
  blocks: Blocks,
  { size, sparse }: TarEntry,
): AsyncIterable<Uint8Array | number> | Iterable<Uint8Array> {
  if (sparse) return withHoles(blocks, sparse);
  // Small files are here as a whole most of the time.
  const whole = blocks.now(size);
  return whole ? [whole] : blocks.part(size);
}

async function* withHoles(
  blocks: Blocks,
  { size, pieces }: NonNullable<TarEntry["sparse"]>,
): AsyncGenerator<Uint8Array | number> {
  let at = 0;
  for (const piece of pieces) {
    if (piece.offset > at) yield piece.offset - at;
    yield* blocks.part(piece.size);
    at = piece.offset + piece.size;
  }
  if (size > at) yield size - at;
}

/** Reads on to where the compressed content says whether it was whole. */
async function readBehindEnd(blocks: Blocks, warn: (line: string) => void): Promise<void> {
  for (let read = 0; read <= MOST_BEHIND_END;) {
    const part = await blocks.upTo(BLOCK * 128);
    if (!part) return;
    read += part.length;
  }
  warn(`more than ${MOST_BEHIND_END} bytes follow the end of the archive: they are not looked at`);
}
