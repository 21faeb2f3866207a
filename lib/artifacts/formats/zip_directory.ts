/** Reads the directory at the end of a zip archive, including zip64. */
import { damagedArchiveError } from "./tar_header.ts";

/** The end record of a zip file: 22 bytes, and a comment of at most 64 KiB. */
const END_BYTES = 22;
const MAX_END_BYTES = END_BYTES + 0xffff;

/** In a zip64 archive, a locator of the zip64 end record precedes it. */
const LOCATOR_BYTES = 20;

const FIXED_BYTES = 46;

/** Systems whose programs store Unix modes: Unix and macOS. */
const UNIX_HOSTS = [3, 19];

/** An entry in the directory. */
export interface ZipEntry {
  readonly name: string;
  /** The name as bytes, which its local header must match. */
  readonly rawName: Uint8Array;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  /** Size in the archive, and unpacked size, in bytes. */
  readonly packed: number;
  readonly size: number;
  /** The Unix mode, including the file type; 0 if it is not stored. */
  readonly mode: number;
  /** Modification time in seconds since the epoch, if stored as such. */
  readonly mtime?: number;
  /** Offset of the entry's local header in the archive, in bytes. */
  readonly offset: number;
}

/** The directory of an archive. */
export interface Directory {
  readonly count: number;
  /** Yields the entries one by one, because there may be many. */
  entries(): Generator<ZipEntry>;
}

/**
 * Finds the directory of an archive.
 * @throws {Error} when there is no directory.
 */
export function directoryOf(file: Deno.FsFile, size: number): Directory {
  const length = Math.min(size, MAX_END_BYTES + LOCATOR_BYTES);
  const tail = readAt(file, size - length, length);
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw damagedArchiveError("this is not a zip file");
  const { count, start } = readZip64End(file, tail, end) ??
    { count: tail.getUint16(end + 10, true), start: tail.getUint32(end + 16, true) };
  return {
    count,
    *entries() {
      for (let read = 0, offset = start; read < count; read++) {
        const fixed = readAt(file, offset, FIXED_BYTES);
        if (fixed.getUint32(0, true) !== 0x02014b50) throw damagedArchiveError("its central directory is invalid");
        const nameBytes = fixed.getUint16(28, true);
        const extraBytes = fixed.getUint16(30, true);
        const rest = readAt(file, offset + FIXED_BYTES, nameBytes + extraBytes);
        yield entryOf(fixed, new Uint8Array(rest.buffer, 0, nameBytes), new DataView(rest.buffer, nameBytes));
        offset += FIXED_BYTES + nameBytes + extraBytes + fixed.getUint16(32, true);
      }
    },
  };
}

/**
 * Returns the number of entries and the offset of the directory from the zip64 end record; undefined for other
 * archives.
 */
function readZip64End(file: Deno.FsFile, tail: DataView, end: number): { count: number; start: number } | undefined {
  const locator = end - LOCATOR_BYTES;
  if (locator < 0 || tail.getUint32(locator, true) !== 0x07064b50) return undefined;
  const offset = number64(tail, locator + 8);
  const large = readAt(file, offset, 56);
  if (large.getUint32(0, true) !== 0x06064b50) throw damagedArchiveError("its end record is invalid");
  return { count: number64(large, 32), start: number64(large, 48) };
}

function entryOf(fixed: DataView, rawName: Uint8Array, extra: DataView): ZipEntry {
  let packed = fixed.getUint32(20, true);
  let size = fixed.getUint32(24, true);
  let offset = fixed.getUint32(42, true);
  const flags = fixed.getUint16(8, true);
  const name = nameOf(rawName);
  let mtime: number | undefined;
  for (let position = 0; position + 4 <= extra.byteLength;) {
    const id = extra.getUint16(position, true);
    const length = extra.getUint16(position + 2, true);
    const body = position + 4;
    if (body + length > extra.byteLength) break;
    if (id === 0x0001) {
      let next = body;
      const large = (small: number) => {
        if (small !== 0xffffffff) return small;
        if (next + 8 > body + length) throw damagedArchiveError(`the central directory has no size of ${name}`);
        next += 8;
        return number64(extra, next - 8);
      };
      size = large(size);
      packed = large(packed);
      offset = large(offset);
    } else if (id === 0x5455 && length >= 5 && extra.getUint8(body) & 1) mtime = extra.getInt32(body + 1, true);
    position = body + length;
  }
  const isUnix = UNIX_HOSTS.includes(fixed.getUint8(5));
  return {
    name,
    rawName,
    flags,
    method: fixed.getUint16(10, true),
    crc: fixed.getUint32(16, true),
    packed,
    size,
    mode: isUnix ? fixed.getUint16(40, true) : 0,
    ...(mtime === undefined ? {} : { mtime }),
    offset,
  };
}

/**
 * Decodes a name. Names are treated as UTF-8 regardless of the flag; invalid ones come from systems with single-byte
 * encodings.
 */
function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function number64(view: DataView, offset: number): number {
  const value = view.getBigUint64(offset, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw damagedArchiveError("a number in its central directory is too large");
  }
  return Number(value);
}

/** Reads `size` bytes of a file from offset `start`. */
export function readAt(file: Deno.FsFile, start: number, size: number): DataView<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  file.seekSync(start, Deno.SeekMode.Start);
  for (let done = 0; done < size;) {
    const read = file.readSync(bytes.subarray(done));
    if (read === null) throw damagedArchiveError("it ends too early");
    done += read;
  }
  return new DataView(bytes.buffer);
}
