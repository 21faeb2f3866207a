/** Packing a file or folder as zip. */
import { crc32 } from "./crc32.ts";

const encoder = new TextEncoder();

/** Sizes and places are numbers of 32 bits here. */
const LIMIT = 2 ** 32 - 1;

const FOLDER = 0o040000;
const FILE = 0o100000;
const LINK = 0o120000;

/** What the list at the end of a zip file says about an entry. */
interface Listed {
  readonly name: Uint8Array;
  readonly mode: number;
  readonly time: number;
  readonly method: number;
  readonly offset: number;
  crc: number;
  packed: number;
  size: number;
}

/**
 * Writes `source` (a file or folder) to the archive `target` under the name `name`. Links stay links.
 * @throws {RangeError} when something is too large for a zip file.
 */
export async function packZip(source: string, name: string, target: string): Promise<void> {
  using file = await Deno.open(target, { write: true, create: true, truncate: true, mode: 0o644 });
  const archive = new Archive(file);
  await add(archive, source, name);
  await archive.finish();
}

async function add(archive: Archive, path: string, name: string): Promise<void> {
  const info = await Deno.lstat(path);
  const mode = (info.mode ?? 0o644) & 0o7777;
  if (info.isSymlink) {
    await archive.store(name, LINK | mode, info.mtime, encoder.encode(await Deno.readLink(path)));
  } else if (info.isDirectory) {
    await archive.store(`${name}/`, FOLDER | mode, info.mtime, new Uint8Array());
    const names = [];
    for await (const child of Deno.readDir(path)) names.push(child.name);
    for (const child of names.sort()) await add(archive, `${path}/${child}`, `${name}/${child}`);
  } else if (info.isFile) {
    await archive.compress(name, FILE | mode, info.mtime, (await Deno.open(path)).readable);
  }
}

/** A zip file that is being written. */
class Archive {
  readonly #entries: Listed[] = [];
  #written = 0;

  constructor(readonly file: Deno.FsFile) {}

  async store(name: string, mode: number, mtime: Date | null, content: Uint8Array): Promise<void> {
    const entry = await this.#begin(name, mode, mtime, 0);
    await this.#write(content);
    Object.assign(entry, { crc: crc32(content), packed: content.length, size: content.length });
    await this.#end(entry);
  }

  async compress(name: string, mode: number, mtime: Date | null, content: ReadableStream<Uint8Array<ArrayBuffer>>) {
    const entry = await this.#begin(name, mode, mtime, 8);
    const counted = content.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(part, stream) {
          entry.crc = crc32(part, entry.crc);
          entry.size += part.length;
          stream.enqueue(part);
        },
      }),
    );
    for await (const part of counted.pipeThrough(new CompressionStream("deflate-raw"))) {
      entry.packed += part.length;
      await this.#write(part);
    }
    await this.#end(entry);
  }

  /** The list of all entries, and where it begins. */
  async finish(): Promise<void> {
    const start = this.#written;
    for (const entry of this.#entries) {
      await this.#write(fields(0x02014b50, [[2, 0x0314], [2, 20], ...common(entry), ...sizes(entry)]));
      const rest: Field[] = [[2, entry.name.length], [2, 0], [2, 0], [2, 0], [2, 0]];
      await this.#write(plain([...rest, [4, entry.mode * 0x10000], [4, entry.offset]]));
      await this.#write(entry.name);
    }
    const count = this.#entries.length;
    if (count > 0xfffe) throw new RangeError("a zip file cannot hold more than 65534 entries: use tar");
    const size = this.#written - start;
    await this.#write(fields(0x06054b50, [[2, 0], [2, 0], [2, count], [2, count], [4, size], [4, start], [2, 0]]));
  }

  async #begin(name: string, mode: number, mtime: Date | null, method: number): Promise<Listed> {
    const entry: Listed = {
      name: encoder.encode(name),
      mode,
      time: dosTime(mtime ?? new Date(0)),
      method,
      offset: this.#written,
      crc: 0,
      packed: 0,
      size: 0,
    };
    this.#entries.push(entry);
    // Sum and sizes are known only behind the content.
    const lengths: Field[] = [[2, entry.name.length], [2, 0]];
    await this.#write(fields(0x04034b50, [[2, 20], ...common(entry), [4, 0], [4, 0], [4, 0], ...lengths]));
    await this.#write(entry.name);
    return entry;
  }

  async #end(entry: Listed): Promise<void> {
    if (Math.max(entry.size, entry.packed, this.#written) > LIMIT) {
      throw new RangeError("a zip file cannot hold more than 4 GiB: use tar");
    }
    await this.#write(fields(0x08074b50, sizes(entry)));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) done += await this.file.write(bytes.subarray(done));
    this.#written += bytes.length;
  }
}

/** A number and how many bytes it takes, the lowest first. */
type Field = readonly [bytes: 2 | 4, value: number];

/** Content first, sizes behind it; names are UTF-8. */
const FLAGS = 0x0808;

function common({ method, time }: Listed): Field[] {
  return [[2, FLAGS], [2, method], [4, time]];
}

function sizes({ crc, packed, size }: Listed): Field[] {
  return [[4, crc], [4, packed], [4, size]];
}

function fields(signature: number, rest: readonly Field[]): Uint8Array {
  return plain([[4, signature], ...rest]);
}

function plain(all: readonly Field[]): Uint8Array {
  return new Uint8Array(all.flatMap(([bytes, value]) => [0, 8, 16, 24].slice(0, bytes).map((bit) => value >>> bit)));
}

/** Two seconds are the finest that fits, and 1980 the earliest. */
function dosTime(date: Date): number {
  const year = Math.max(0, date.getUTCFullYear() - 1980);
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return day * 0x10000 + time;
}
