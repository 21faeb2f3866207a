/** Packs a file or folder as zip, as zip64 if needed. */
import type { Handle } from "@tiphys/base/confined";
import { listEntries, type Packable, type PackableFile, type PackOptions, readExactContent } from "./packable.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** The largest 32-bit and 16-bit numbers. In a field they mean that the value is in a zip64 field. */
const MAX_UINT32 = 0xffffffff;
const MAX_UINT16 = 0xffff;

/** Deflate may increase the size of content, so a file near the limit is written as zip64. */
const MAX_WITHOUT_ZIP64 = 0xf0000000;

/** Maximum number of bytes of a file that is packed at once. */
const SMALL_BYTES = 1 << 20;

const FOLDER = 0o040000;
const FILE = 0o100000;
const LINK = 0o120000;

/** Flags: names are UTF-8; the checksum and sizes of a streamed file follow its content. */
const UTF8 = 0x0800;
const LENGTHS_FOLLOW = 0x0008;

const STORED = 0;
const DEFLATED = 8;

/** An entry in the directory at the end of a zip file. */
interface DirectoryEntry {
  readonly name: Bytes;
  readonly mode: number;
  readonly time: number;
  readonly flags: number;
  readonly method: number;
  readonly offset: number;
  readonly isLarge: boolean;
  crc: number;
  packed: number;
  size: number;
}

/** Compression functions of Node, loaded on demand. */
interface Zlib {
  crc32(bytes: Uint8Array, before?: number): number;
  deflateRawSync(bytes: Uint8Array): Uint8Array;
}

/**
 * Returns the zip archive of a file or folder, which has the name `name` in it. Links are kept, pipes and devices are
 * omitted, set-uid bits are dropped. The stream fails when a file becomes shorter while it is read.
 */
export async function zip(source: Handle, name: string, options: PackOptions = {}): Promise<ReadableStream<Bytes>> {
  return await zipOf(listEntries(source, name, options));
}

/** Returns an archive of these entries. */
export async function zipOf(all: Iterable<Packable>): Promise<ReadableStream<Bytes>> {
  return ReadableStream.from(new Archive(await import("node:zlib") as Zlib).pack(all));
}

/** A zip file that is being written. */
class Archive {
  readonly #zlib: Zlib;
  readonly #entries: DirectoryEntry[] = [];
  #written = 0;

  constructor(zlib: Zlib) {
    this.#zlib = zlib;
  }

  async *pack(all: Iterable<Packable>): AsyncGenerator<Bytes> {
    for await (const piece of this.#packAll(all)) {
      this.#written += piece.length;
      if (piece.length > 0) yield piece;
    }
  }

  async *#packAll(all: Iterable<Packable>): AsyncGenerator<Bytes> {
    for (const entry of all) {
      const mode = (entry.info.mode ?? 0o644) & 0o777;
      const { mtime } = entry.info;
      if (entry.kind === "link") yield* this.#packBytes(entry.name, LINK | mode, mtime, encoder.encode(entry.target));
      else if (entry.kind === "folder") {
        yield* this.#packBytes(`${entry.name}/`, FOLDER | mode, mtime, new Uint8Array());
      } else if (entry.info.size <= SMALL_BYTES) {
        yield* this.#packBytes(entry.name, FILE | mode, mtime, readWholeFile(entry), true);
      } else yield* this.#packFile(entry, FILE | mode);
    }
    yield* this.#packDirectory();
  }

  /** Writes an entry whose content is in memory. */
  *#packBytes(name: string, mode: number, mtime: Date | null, content: Bytes, isFile = false): Generator<Bytes> {
    const packed = isFile && content.length > 0 ? toBytes(this.#zlib.deflateRawSync(content)) : content;
    const isSmaller = packed.length < content.length;
    const entry = this.#begin(name, mode, mtime, { method: isSmaller ? DEFLATED : STORED, flags: UTF8 });
    Object.assign(entry, {
      crc: this.#zlib.crc32(content),
      packed: isSmaller ? packed.length : content.length,
      size: content.length,
    });
    yield localHeader(entry);
    yield isSmaller ? packed : content;
  }

  /** Writes a file while it is read. */
  async *#packFile(file: PackableFile, mode: number): AsyncGenerator<Bytes> {
    const isLarge = file.info.size > MAX_WITHOUT_ZIP64;
    const how = { method: DEFLATED, flags: UTF8 | LENGTHS_FOLLOW, isLarge };
    const entry = this.#begin(file.name, mode, file.info.mtime, how);
    yield localHeader(entry);
    const source = ReadableStream.from(this.#packCounted(file, entry));
    for await (const part of source.pipeThrough(new CompressionStream("deflate-raw"))) {
      entry.packed += part.length;
      yield part as Bytes;
    }
    const sizes: Field[] = [[isLarge ? 8 : 4, entry.packed], [isLarge ? 8 : 4, entry.size]];
    yield encodeFields([4, 0x08074b50], [4, entry.crc], ...sizes);
  }

  *#packCounted(file: PackableFile, entry: DirectoryEntry): Generator<Bytes> {
    for (const part of readExactContent(file)) {
      entry.crc = this.#zlib.crc32(part, entry.crc);
      entry.size += part.length;
      yield part.slice();
    }
  }

  #begin(
    name: string,
    mode: number,
    mtime: Date | null,
    format: { readonly method: number; readonly flags: number; readonly isLarge?: boolean },
  ): DirectoryEntry {
    const entry: DirectoryEntry = {
      name: encoder.encode(name),
      mode,
      time: dosTime(mtime ?? new Date(0)),
      isLarge: false,
      ...format,
      offset: this.#written,
      crc: 0,
      packed: 0,
      size: 0,
    };
    this.#entries.push(entry);
    return entry;
  }

  /** Writes the directory and its end record. */
  *#packDirectory(): Generator<Bytes> {
    const start = this.#written;
    for (const entry of this.#entries) yield listEntry(entry);
    const count = this.#entries.length;
    const end = this.#written;
    const size = end - start;
    if (count >= MAX_UINT16 || start >= MAX_UINT32 || size >= MAX_UINT32) {
      yield encodeFields(
        [4, 0x06064b50],
        [8, 44],
        [2, 0x0300 | 45],
        [2, 45],
        [4, 0],
        [4, 0],
        [8, count],
        [8, count],
        [8, size],
        [8, start],
      );
      yield encodeFields([4, 0x07064b50], [4, 0], [8, end], [4, 1]);
    }
    const few = Math.min(count, MAX_UINT16);
    const small: Field[] = [[4, Math.min(size, MAX_UINT32)], [4, Math.min(start, MAX_UINT32)]];
    yield encodeFields([4, 0x06054b50], [2, 0], [2, 0], [2, few], [2, few], ...small, [2, 0]);
  }
}

function readWholeFile(file: PackableFile): Bytes {
  const bytes = new Uint8Array(file.info.size);
  let length = 0;
  for (const part of readExactContent(file)) {
    bytes.set(part, length);
    length += part.length;
  }
  return bytes;
}

function toBytes(bytes: Uint8Array): Bytes {
  return new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length);
}

/** Returns the header before the content. Checksum and sizes are 0 if they follow the content. */
function localHeader({ name, time, flags, method, isLarge, crc, packed, size }: DirectoryEntry): Bytes {
  const extra = isLarge ? encodeFields([2, 0x0001], [2, 16], [8, 0], [8, 0]) : new Uint8Array();
  const head = encodeFields(
    [4, 0x04034b50],
    [2, isLarge ? 45 : 20],
    [2, flags],
    [2, method],
    [4, time],
    [4, crc],
    [4, isLarge ? MAX_UINT32 : packed],
    [4, isLarge ? MAX_UINT32 : size],
    [2, name.length],
    [2, extra.length],
  );
  return joinedBytes([head, name, extra]);
}

function listEntry({ name, mode, time, flags, method, offset, crc, packed, size }: DirectoryEntry): Bytes {
  const large = [size, packed, offset].filter((value) => value >= MAX_UINT32);
  const extra = large.length
    ? encodeFields([2, 0x0001], [2, 8 * large.length], ...large.map((value): Field => [8, value]))
    : new Uint8Array();
  const head = encodeFields(
    [4, 0x02014b50],
    [2, 0x0300 | 45],
    [2, large.length ? 45 : 20],
    [2, flags],
    [2, method],
    [4, time],
    [4, crc],
    [4, Math.min(packed, MAX_UINT32)],
    [4, Math.min(size, MAX_UINT32)],
    [2, name.length],
    [2, extra.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, mode * 0x10000],
    [4, Math.min(offset, MAX_UINT32)],
  );
  return joinedBytes([head, name, extra]);
}

/** A number and its size in bytes, little endian. */
type Field = readonly [bytes: 2 | 4 | 8, value: number];

function encodeFields(...all: readonly Field[]): Bytes {
  const view = new DataView(new ArrayBuffer(all.reduce((sum, [bytes]) => sum + bytes, 0)));
  let offset = 0;
  for (const [bytes, value] of all) {
    if (bytes === 2) view.setUint16(offset, value, true);
    else if (bytes === 4) view.setUint32(offset, value, true);
    else view.setBigUint64(offset, BigInt(value), true);
    offset += bytes;
  }
  return new Uint8Array(view.buffer);
}

/** Converts a time. Zip has a resolution of two seconds and begins in 1980. */
function dosTime(date: Date): number {
  const year = Math.min(127, Math.max(0, date.getUTCFullYear() - 1980));
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return day * 0x10000 + time;
}
