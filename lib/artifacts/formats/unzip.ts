/** Unpacks a zip archive. It must be a file, because its directory is read first. */
import { type Folder, Tree } from "@tiphys/base/confined";
import { damagedArchiveError } from "./tar_header.ts";
import type { UntarOptions } from "./untar.ts";
import { directoryOf, readAt, type ZipEntry } from "./zip_directory.ts";

const decoder = new TextDecoder();

const LINK = 0o120000;
const FILE = 0o100000;
const FOLDER = 0o040000;
const KIND = 0o170000;

/** Maximum length of a link target, in bytes. */
const MAX_TARGET_LENGTH = 4096;

/** Flag bits: the entry is encrypted; checksum and sizes follow the content. */
const ENCRYPTED = 1;
const LENGTHS_FOLLOW = 8;

/** Maximum bytes, packed and unpacked, of content that is unpacked at once. */
const SMALL_BYTES = 1 << 20;

/**
 * Unpacks an archive into a folder. Set-uid bits are dropped. An archive of one file with an absolute name, as some
 * programs make, is unpacked to that file.
 * @throws {OutsideError} when an entry would be, or lead, outside of the folder.
 * @throws {UnpackLimitError} when a limit is exceeded.
 * @throws {Error} when it is damaged. Entries before the error remain.
 */
export async function unzip(
  file: Deno.FsFile,
  folder: Folder,
  { limits, warn = () => {} }: UntarOptions,
): Promise<void> {
  const { size } = file.statSync();
  const directory = directoryOf(file, size);
  using tree = new Tree(folder, { limits, kind: "artifact" });
  for (const entry of directory.entries()) {
    const isSingleFile = directory.count === 1 && kindOf(entry) === FILE && !entry.name.endsWith("/");
    await unpack(tree, file, size, { ...entry, path: isSingleFile ? makeRelative(entry.name) : entry.name }, warn);
  }
  tree.finish();
}

/** Returns the last part of an absolute name without `..`. */
function makeRelative(name: string): string {
  return name.startsWith("/") && !name.split("/").includes("..") ? name.slice(name.lastIndexOf("/") + 1) : name;
}

/** An entry with the path that it is unpacked to. */
interface PlacedEntry extends ZipEntry {
  readonly path: string;
}

function kindOf({ mode }: ZipEntry): number {
  return mode & KIND || FILE;
}

async function unpack(
  tree: Tree,
  file: Deno.FsFile,
  fileSize: number,
  entry: PlacedEntry,
  warn: (line: string) => void,
): Promise<void> {
  using place = tree.locate(entry.path);
  if (!place) return;
  const kind = kindOf(entry);
  if (entry.name.endsWith("/") || kind === FOLDER) return tree.folder(place, entry.mode & 0o777 || 0o755);
  if (kind !== FILE && kind !== LINK) return warn(`${entry.name} is a pipe or device, which is not unpacked`);
  const content = contentOf(file, fileSize, entry);
  if (kind === LINK) return tree.link(place, decoder.decode(await collectBytes(content, MAX_TARGET_LENGTH)));
  // Entries may share their content, so the sum of their sizes is compared with the file as a whole.
  await tree.file(place, { mode: entry.mode & 0o777 || 0o644, mtime: entry.mtime, content, packed: () => fileSize });
}

/** Yields the content, verified against the directory. */
async function* contentOf(file: Deno.FsFile, fileSize: number, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const { crc32, inflateRawSync } = await import("node:zlib");
  const start = contentStart(file, entry);
  if (start + entry.packed > fileSize) throw damagedArchiveError("it ends too early");
  let crc = 0;
  let size = 0;
  const isSmall = entry.method === 8 && entry.packed <= SMALL_BYTES && entry.size <= SMALL_BYTES;
  const packed = readParts(file, start, entry.packed);
  const unpacked = isSmall
    ? [inflateAtOnce(inflateRawSync, readAt(file, start, entry.packed), entry)]
    : entry.method === 0
    ? packed
    : await inflateEntry(packed);
  for await (const part of unpacked) {
    size += part.length;
    if (size > entry.size) throw damagedArchiveError(`${entry.name} holds more bytes than its declared size`);
    crc = crc32(part, crc);
    yield part;
  }
  if (size < entry.size) throw damagedArchiveError(`${entry.name} holds fewer bytes than its declared size`);
  if (crc !== entry.crc) throw damagedArchiveError(`the check sum of ${entry.name} is wrong`);
}

type InflateSync = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

function inflateAtOnce(inflate: InflateSync, packed: DataView<ArrayBuffer>, { name, size }: ZipEntry): Uint8Array {
  try {
    return inflate(new Uint8Array(packed.buffer), { maxOutputLength: size + 1 });
  } catch (error) {
    const isMore = (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
    throw isMore
      ? damagedArchiveError(`${name} holds more bytes than its declared size`)
      : damagedArchiveError(`${name}: ${(error as Error).message}`);
  }
}

async function inflateEntry(packed: Iterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const [{ createInflateRaw }, { pipeline, Readable }] = await Promise.all([
    import("node:zlib"),
    import("node:stream"),
  ]);
  const unpacked = createInflateRaw({ chunkSize: 65_536 });
  // The iteration reports errors.
  pipeline(Readable.from(packed), unpacked, () => {});
  return unpacked;
}

/** Returns the offset of the content, after the entry's own header, which must match the directory. */
function contentStart(file: Deno.FsFile, entry: ZipEntry): number {
  if (entry.flags & ENCRYPTED) throw new Error(`${entry.name} is encrypted, which is not supported`);
  if (entry.method !== 0 && entry.method !== 8) {
    throw new Error(`${entry.name} uses zip compression method ${entry.method}, which is not supported`);
  }
  const head = readAt(file, entry.offset, 30);
  const nameBytes = head.getUint16(26, true);
  const name = new Uint8Array(readAt(file, entry.offset + 30, nameBytes).buffer);
  const isSame = head.getUint32(0, true) === 0x04034b50 && name.length === entry.rawName.length &&
    name.every((byte, index) => byte === entry.rawName[index]) && head.getUint16(8, true) === entry.method &&
    (head.getUint16(6, true) & ENCRYPTED) === 0 && hasSameLengths(head, entry);
  if (!isSame) throw damagedArchiveError(`the central directory and the local header of ${entry.name} differ`);
  return entry.offset + 30 + nameBytes + head.getUint16(28, true);
}

/**
 * Compares the lengths in the entry's own header with the directory. Lengths that are stored after the content or in a
 * zip64 field are not compared.
 */
function hasSameLengths(head: DataView, { crc, packed, size }: ZipEntry): boolean {
  if (head.getUint16(6, true) & LENGTHS_FOLLOW) return true;
  const fits = (size32: number, size64: number) => size32 === 0xffffffff || size32 === size64;
  return head.getUint32(14, true) === crc && fits(head.getUint32(18, true), packed) &&
    fits(head.getUint32(22, true), size);
}

function* readParts(file: Deno.FsFile, start: number, size: number): Generator<Uint8Array<ArrayBuffer>> {
  for (let done = 0; done < size; done += 65_536) {
    yield new Uint8Array(readAt(file, start + done, Math.min(65_536, size - done)).buffer);
  }
}

async function collectBytes(content: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const whole = new Uint8Array(limit);
  let length = 0;
  for await (const part of content) {
    if (length + part.length > limit) throw damagedArchiveError("the target of a link is too long");
    whole.set(part, length);
    length += part.length;
  }
  return whole.subarray(0, length);
}
