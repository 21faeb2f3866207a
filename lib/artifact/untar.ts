/** Unpacking a tar archive, compressed or not. */
import { isGzip, openCompressed } from "./gzip.ts";
import { checkLinkTarget, entryPath, makeParent } from "./inside.ts";

const BLOCK = 512;
const decoder = new TextDecoder();

/** Whether a file is a compressed tar archive. */
export async function isTarGz(file: string): Promise<boolean> {
  if (!await isGzip(file)) return false;
  await using blocks = new Blocks(await openCompressed(file));
  try {
    const block = await blocks.take(BLOCK);
    return block !== undefined && isHeader(block);
  } catch {
    return false; // It begins like a gzip file and is none.
  }
}

/**
 * Unpacks an archive into a folder, which must exist. Owners are not kept.
 * @throws {Error} when it is damaged, or an entry would lie, or lead, outside of the folder.
 */
export async function untar(file: string, folder: string): Promise<void> {
  await using blocks = new Blocks(await openCompressed(file));
  for (let entry = await nextEntry(blocks); entry; entry = await nextEntry(blocks)) {
    await unpack(blocks, entry, folder);
  }
}

interface Entry {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly mode: number;
  readonly mtime: number;
  readonly link: string;
}

async function unpack(blocks: Blocks, entry: Entry, folder: string): Promise<void> {
  const path = entryPath(folder, entry.name);
  if (path === folder) return await blocks.skip(padded(entry.size));
  await makeParent(folder, path);
  switch (entry.type) {
    case "0":
    case "7":
      await Deno.remove(path).catch(() => {}); // A link of this name is replaced, not followed.
      await writeFile(blocks, entry, path);
      break;
    case "5":
      await Deno.mkdir(path, { recursive: true });
      await Deno.chmod(path, entry.mode | 0o700); // We still have to write into it.
      break;
    case "2":
      checkLinkTarget(folder, path, entry.link);
      await Deno.symlink(entry.link, path);
      break;
    case "1":
      await Deno.link(entryPath(folder, entry.link), path);
      break;
    default:
      await blocks.skip(padded(entry.size)); // Devices and the like are nothing that travels.
  }
}

async function writeFile(blocks: Blocks, { size, mode, mtime }: Entry, path: string): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true });
  for (let left = size; left > 0;) {
    const part = await blocks.some(left);
    left -= part.length;
    for (let done = 0; done < part.length;) done += await file.write(part.subarray(done));
  }
  await blocks.skip(padded(size) - size);
  await Deno.chmod(path, mode);
  await file.utime(mtime, mtime);
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

/** The next entry with what extended headers before it say; undefined at the end. */
async function nextEntry(blocks: Blocks): Promise<Entry | undefined> {
  let extended: Record<string, string> = {};
  while (true) {
    const block = await blocks.take(BLOCK);
    if (block === undefined || block.every((byte) => byte === 0)) return undefined;
    if (!isHeader(block)) throw new Error("the archive is damaged: a header's checksum is wrong");
    const size = number(block, 124, 12);
    const type = String.fromCharCode(block[156] || 0x30);
    if (type === "x") extended = { ...extended, ...records(await blocks.must(padded(size), size)) };
    else if (type === "L") extended = { ...extended, path: text(await blocks.must(padded(size), size)) };
    else if (type === "K") extended = { ...extended, linkpath: text(await blocks.must(padded(size), size)) };
    else if (type === "g") await blocks.skip(padded(size));
    else {
      const folder = decoder.decode(block.subarray(257, 262)) === "ustar" ? text(block.subarray(345, 500)) : "";
      const name = text(block.subarray(0, 100));
      return {
        name: extended.path ?? (folder ? `${folder}/${name}` : name),
        type,
        size: extended.size === undefined ? size : Number(extended.size),
        mode: number(block, 100, 8) & 0o7777,
        mtime: number(block, 136, 12),
        link: extended.linkpath ?? text(block.subarray(157, 257)),
      };
    }
  }
}

/** Every header holds the sum of its own bytes, its own field counted as blanks. */
function isHeader(block: Uint8Array): boolean {
  const sum = block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  return block.length === BLOCK && number(block, 148, 8) === sum;
}

/** Octal digits, or, for what they cannot hold, a binary number marked by its first bit. */
function number(block: Uint8Array, offset: number, length: number): number {
  const field = block.subarray(offset, offset + length);
  if (field[0] & 0x80) return field.subarray(1).reduce((value, byte) => value * 256 + byte, field[0] & 0x7f);
  return parseInt(text(field).trim() || "0", 8);
}

function text(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** `LENGTH KEY=VALUE\n`, one after the other. */
function records(bytes: Uint8Array): Record<string, string> {
  const found: Record<string, string> = {};
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(0x20, at);
    const length = Number(decoder.decode(bytes.subarray(at, blank)));
    if (blank < 0 || !(length > 0)) throw new Error("the archive is damaged: an extended header has no length");
    const [key, ...value] = decoder.decode(bytes.subarray(blank + 1, at + length - 1)).split("=");
    found[key] = value.join("=");
    at += length;
  }
  return found;
}

/** A stream, taken in pieces of the size that is needed. */
class Blocks implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  /** At least one byte and at most `limit`. */
  async some(limit: number): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#reader.read();
      if (done) throw new Error("the archive is damaged: it ends too early");
      this.#rest = value;
    }
    const part = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  /** Exactly `size` bytes; undefined at the end of the stream. */
  async take(size: number): Promise<Uint8Array | undefined> {
    const whole = new Uint8Array(size);
    for (let done = 0; done < size;) {
      if (this.#rest.length === 0) {
        const { value, done: over } = await this.#reader.read();
        if (over) return undefined;
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, size - done);
      whole.set(part, done);
      this.#rest = this.#rest.subarray(part.length);
      done += part.length;
    }
    return whole;
  }

  /** The first `kept` of `size` bytes that must be there. */
  async must(size: number, kept: number): Promise<Uint8Array> {
    const whole = await this.take(size);
    if (!whole) throw new Error("the archive is damaged: it ends too early");
    return whole.subarray(0, kept);
  }

  async skip(size: number): Promise<void> {
    for (let left = size; left > 0;) left -= (await this.some(left)).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }
}
