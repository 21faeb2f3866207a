/** Unpacking a zip archive, its list first: so it must lie in a file. */
import { type Folder, Tree } from "../../confined/mod.ts";
import { damaged } from "./tar_header.ts";
import type { UntarOptions } from "./untar.ts";
import { directoryOf, readAt, type ZipEntry } from "./zip_directory.ts";

const decoder = new TextDecoder();

const LINK = 0o120000;
const FILE = 0o100000;
const FOLDER = 0o040000;
const KIND = 0o170000;

/** A longer target no link has, bytes. */
const LONGEST_TARGET = 4096;

/** The bits of a flag that say: this entry is encrypted; sum and sizes stand behind the content. */
const ENCRYPTED = 1;
const LENGTHS_BEHIND = 8;

/** The most bytes, packed and unpacked, of content that is unpacked at once. */
const SMALL_BYTES = 1 << 20;

/**
 * Unpacks an archive into a folder. Set-uid bits are not kept. An archive of one file that has an absolute name, as some
 * programs make them of a single file, is that file.
 * @throws {OutsideError} when an entry would lie, or lead, outside of the folder; {@link UnpackedTooMuchError} when there
 *   is more than the limits allow; {@link Error} when it is damaged. What was unpacked before is left.
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
    await unpack(tree, file, size, { ...entry, path: isSingleFile ? relative(entry.name) : entry.name }, warn);
  }
  tree.finish();
}

/** The last part of an absolute name that leads nowhere else. */
function relative(name: string): string {
  return name.startsWith("/") && !name.split("/").includes("..") ? name.slice(name.lastIndexOf("/") + 1) : name;
}

/** An entry with the path that it is unpacked to. */
interface Placed extends ZipEntry {
  readonly path: string;
}

function kindOf({ mode }: ZipEntry): number {
  return mode & KIND || FILE;
}

async function unpack(
  tree: Tree,
  file: Deno.FsFile,
  fileSize: number,
  entry: Placed,
  warn: (line: string) => void,
): Promise<void> {
  using place = tree.place(entry.path);
  if (!place) return;
  const kind = kindOf(entry);
  if (entry.name.endsWith("/") || kind === FOLDER) return tree.folder(place, entry.mode & 0o777 || 0o755);
  if (kind !== FILE && kind !== LINK) return warn(`${entry.name} is a pipe or device, which is not unpacked`);
  const content = contentOf(file, fileSize, entry);
  if (kind === LINK) return tree.link(place, decoder.decode(await wholeOf(content, LONGEST_TARGET)));
  // Entries may share their content: what all of them make is held against the file as a whole.
  await tree.file(place, { mode: entry.mode & 0o777 || 0o644, mtime: entry.mtime, content, packed: () => fileSize });
}

/** The content, checked against what the list says of it. */
async function* contentOf(file: Deno.FsFile, fileSize: number, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const { crc32, inflateRawSync } = await import("node:zlib");
  const start = contentStart(file, entry);
  if (start + entry.packed > fileSize) throw damaged("it ends too early");
  let crc = 0;
  let size = 0;
  const isSmall = entry.method === 8 && entry.packed <= SMALL_BYTES && entry.size <= SMALL_BYTES;
  const packed = parts(file, start, entry.packed);
  const unpacked = isSmall
    ? [atOnce(inflateRawSync, readAt(file, start, entry.packed), entry)]
    : entry.method === 0
    ? packed
    : await inflated(packed);
  for await (const part of unpacked) {
    size += part.length;
    if (size > entry.size) throw damaged(`${entry.name} holds more than it says`);
    crc = crc32(part, crc);
    yield part;
  }
  if (size < entry.size) throw damaged(`${entry.name} holds less than it says`);
  if (crc !== entry.crc) throw damaged(`the check sum of ${entry.name} is wrong`);
}

type InflateSync = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

function atOnce(inflate: InflateSync, packed: DataView<ArrayBuffer>, { name, size }: ZipEntry): Uint8Array {
  try {
    return inflate(new Uint8Array(packed.buffer), { maxOutputLength: size + 1 });
  } catch (error) {
    const isMore = (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
    throw isMore ? damaged(`${name} holds more than it says`) : damaged(`${name}: ${(error as Error).message}`);
  }
}

async function inflated(packed: Iterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const [{ createInflateRaw }, { pipeline, Readable }] = await Promise.all([
    import("node:zlib"),
    import("node:stream"),
  ]);
  const unpacked = createInflateRaw({ chunkSize: 65_536 });
  // The iteration says what went wrong.
  pipeline(Readable.from(packed), unpacked, () => {});
  return unpacked;
}

/** The offset at which the content begins: behind the entry's own header, which must say the same as the list. */
function contentStart(file: Deno.FsFile, entry: ZipEntry): number {
  if (entry.flags & ENCRYPTED) throw new Error(`${entry.name} is encrypted, which is not known here`);
  if (entry.method !== 0 && entry.method !== 8) {
    throw new Error(`${entry.name} is packed by method ${entry.method} of zip, which is not known here`);
  }
  const head = readAt(file, entry.offset, 30);
  const nameBytes = head.getUint16(26, true);
  const name = new Uint8Array(readAt(file, entry.offset + 30, nameBytes).buffer);
  const isSame = head.getUint32(0, true) === 0x04034b50 && name.length === entry.rawName.length &&
    name.every((byte, index) => byte === entry.rawName[index]) && head.getUint16(8, true) === entry.method &&
    (head.getUint16(6, true) & ENCRYPTED) === 0 && saysSameLengths(head, entry);
  if (!isSame) throw damaged(`the list and the place of ${entry.name} do not agree`);
  return entry.offset + 30 + nameBytes + head.getUint16(28, true);
}

/**
 * Compares the lengths in the entry's own header with the list. Lengths that stand elsewhere are not compared: behind
 * the content, or in a large field.
 */
function saysSameLengths(head: DataView, { crc, packed, size }: ZipEntry): boolean {
  if (head.getUint16(6, true) & LENGTHS_BEHIND) return true;
  const fits = (told: number, known: number) => told === 0xffffffff || told === known;
  return head.getUint32(14, true) === crc && fits(head.getUint32(18, true), packed) &&
    fits(head.getUint32(22, true), size);
}

function* parts(file: Deno.FsFile, start: number, size: number): Generator<Uint8Array<ArrayBuffer>> {
  for (let done = 0; done < size; done += 65_536) {
    yield new Uint8Array(readAt(file, start + done, Math.min(65_536, size - done)).buffer);
  }
}

async function wholeOf(content: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const whole = new Uint8Array(limit);
  let length = 0;
  for await (const part of content) {
    if (length + part.length > limit) throw damaged("the target of a link is too long");
    whole.set(part, length);
    length += part.length;
  }
  return whole.subarray(0, length);
}
