/** Unpacking a zip archive. */
import { crc32 } from "./crc32.ts";
import { checkLinkTarget, entryPath, makeParent } from "./inside.ts";

const decoder = new TextDecoder();

/** The end of a zip file: 22 bytes, and a comment of at most 64 KiB. */
const END_BYTES = 22;
const MAX_END_BYTES = END_BYTES + 0xffff;

const LINK = 0o120000;
const KIND = 0o170000;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly mode: number;
  readonly offset: number;
}

/**
 * Unpacks an archive into a folder, which must exist.
 * @throws {Error} when it is damaged, or an entry would lie, or lead, outside of the folder.
 */
export async function unzip(file: string, folder: string): Promise<void> {
  using opened = await Deno.open(file);
  for (const entry of await entriesOf(opened)) await unpack(opened, entry, folder);
}

async function entriesOf(file: Deno.FsFile): Promise<Entry[]> {
  const { size } = await file.stat();
  const length = Math.min(size, MAX_END_BYTES);
  const tail = await readAt(file, size - length, length);
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error("the archive is damaged: this is no zip file");
  const list = await readAt(file, tail.getUint32(end + 16, true), tail.getUint32(end + 12, true));
  const entries: Entry[] = [];
  for (let at = 0; entries.length < tail.getUint16(end + 10, true);) {
    if (list.getUint32(at, true) !== 0x02014b50) throw new Error("the archive is damaged: its list is broken");
    const nameBytes = list.getUint16(at + 28, true);
    entries.push({
      name: decoder.decode(new Uint8Array(list.buffer, at + 46, nameBytes)),
      method: list.getUint16(at + 10, true),
      crc: list.getUint32(at + 16, true),
      packed: list.getUint32(at + 20, true),
      mode: list.getUint16(at + 40, true),
      offset: list.getUint32(at + 42, true),
    });
    at += 46 + nameBytes + list.getUint16(at + 30, true) + list.getUint16(at + 32, true);
  }
  return entries;
}

async function unpack(file: Deno.FsFile, entry: Entry, folder: string): Promise<void> {
  const path = entryPath(folder, entry.name);
  if (path === folder) return;
  await makeParent(folder, path);
  if (entry.name.endsWith("/")) {
    await Deno.mkdir(path, { recursive: true });
    if (entry.mode & 0o777) await Deno.chmod(path, (entry.mode & 0o7777) | 0o700); // We still have to write into it.
    return;
  }
  const content = await contentOf(file, entry);
  if ((entry.mode & KIND) === LINK) {
    const target = await new Response(content).text();
    checkLinkTarget(folder, path, target);
    return await Deno.symlink(target, path);
  }
  await Deno.remove(path).catch(() => {}); // A link of this name is replaced, not followed.
  using written = await Deno.open(path, { write: true, createNew: true });
  let crc = 0;
  for await (const part of content) {
    crc = crc32(part, crc);
    for (let done = 0; done < part.length;) done += await written.write(part.subarray(done));
  }
  if (crc !== entry.crc) throw new Error(`the archive is damaged: the check sum of ${entry.name} is wrong`);
  if (entry.mode & 0o777) await Deno.chmod(path, entry.mode & 0o7777);
}

async function contentOf(file: Deno.FsFile, entry: Entry): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const head = await readAt(file, entry.offset, 30);
  const start = entry.offset + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const packed = ReadableStream.from(parts(file, start, entry.packed));
  if (entry.method === 0) return packed;
  if (entry.method === 8) return packed.pipeThrough(new DecompressionStream("deflate-raw"));
  throw new Error(`${entry.name} is packed by method ${entry.method} of zip, which is not known here`);
}

async function* parts(file: Deno.FsFile, start: number, size: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let done = 0; done < size; done += 65_536) {
    yield new Uint8Array((await readAt(file, start + done, Math.min(65_536, size - done))).buffer as ArrayBuffer);
  }
}

async function readAt(file: Deno.FsFile, start: number, size: number): Promise<DataView<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  await file.seek(start, Deno.SeekMode.Start);
  for (let done = 0; done < size;) {
    const read = await file.read(bytes.subarray(done));
    if (read === null) throw new Error("the archive is damaged: it ends too early");
    done += read;
  }
  return new DataView(bytes.buffer);
}
