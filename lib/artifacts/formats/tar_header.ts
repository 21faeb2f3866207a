/** Parses the headers of a tar archive: v7, ustar, pax, and GNU extensions. */
import type { BlockReader } from "@tiphys/base/blocks";

export const BLOCK = 512;

/** Maximum size of the extended headers of one entry, in bytes. */
const MAX_HEADER_BYTES = 1 << 20;

/** Maximum number of data pieces of a sparse file. */
const MAX_PIECES = 1_000_000;

/** Maximum number of digits in a map of pieces. */
const MAX_NUMBER_LENGTH = 20;

const names = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const ascii = new TextDecoder();

/** An entry of an archive. */
export interface TarEntry {
  readonly name: string;
  /** The type: one character; `0` is a file. */
  readonly type: string;
  /** Number of bytes after the header. */
  readonly size: number;
  readonly mode: number;
  /** Modification time, in seconds since the epoch. */
  readonly mtime: number;
  readonly link: string;
  /** For a sparse file: its total size, and the stored pieces. */
  readonly sparse?: { readonly size: number; readonly pieces: readonly Piece[] };
}

/** A piece of a file, in bytes. */
export interface Piece {
  readonly offset: number;
  readonly size: number;
}

/**
 * Returns the next entry, including the fields of extended headers before it. At the end, `marked` means that the
 * archive has an end mark.
 */
export async function nextEntry(blocks: BlockReader): Promise<TarEntry | { readonly end: "marked" | "cut" }> {
  const extended = new Map<string, string>();
  const pieces: Piece[] = [];
  // Sum over all extended headers of one entry, because each of them uses memory.
  let bytes = 0;
  const body = async (size: number) => {
    bytes += Math.max(size, BLOCK);
    if (bytes > MAX_HEADER_BYTES) {
      throw damagedArchiveError(`an extended header has ${bytes} bytes, more than ${MAX_HEADER_BYTES}`);
    }
    return await headerBody(blocks, size);
  };
  while (true) {
    const block = await blocks.readExactly(BLOCK);
    if (block === undefined) return { end: "cut" };
    if (isZero(block)) return { end: "marked" };
    if (!isHeader(block)) throw damagedArchiveError("a header's checksum is wrong");
    const size = sizeOf(numberAt(block, 124, 12));
    const type = String.fromCharCode(block[156] || 0x30);
    if (type === "x") parseRecords(await body(size), extended, pieces);
    else if (type === "L") extended.set("path", nameOf(untilZeroByte(await body(size))));
    else if (type === "K") extended.set("linkpath", nameOf(untilZeroByte(await body(size))));
    else if (type === "g") await body(size);
    // The map of a sparse file is read before the header is parsed, and reading may overwrite the block.
    else return await entryOf(block.slice(), { type, size, extended, pieces, blocks });
  }
}

/** Rounds a size up to whole blocks. */
export function roundUpToBlocks(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

/** Whether a block is a header: it contains the sum of its bytes, with blanks for the checksum field. */
export function isHeader(block: Uint8Array): boolean {
  if (block.length !== BLOCK) return false;
  let sum = 8 * 0x20;
  for (let index = 0; index < BLOCK; index++) if (index < 148 || index >= 156) sum += block[index]!;
  return numberAt(block, 148, 8) === sum;
}

interface HeaderFields {
  readonly type: string;
  readonly size: number;
  readonly extended: ReadonlyMap<string, string>;
  readonly pieces: Piece[];
  readonly blocks: BlockReader;
}

async function entryOf(block: Uint8Array, { type, size, extended, pieces, blocks }: HeaderFields): Promise<TarEntry> {
  const isPosix = ascii.decode(block.subarray(257, 263)) === "ustar\0";
  const folder = isPosix ? nameOf(untilZeroByte(block.subarray(345, 500))) : "";
  const own = () => nameOf(untilZeroByte(block.subarray(0, 100)));
  const told = extended.get("size");
  const time = extended.get("mtime");
  let left = told === undefined ? size : sizeOf(Number(told));
  let sparse: TarEntry["sparse"];
  if (type === "S") {
    sparse = { size: sizeOf(numberAt(block, 483, 12)), pieces: await readGnuMap(block, blocks) };
  } else if (extended.get("GNU.sparse.major") === "1" && extended.get("GNU.sparse.minor") === "0") {
    const map = await readLeadingMap(blocks, left);
    left -= map.bytes;
    sparse = { size: sizeOf(Number(extended.get("GNU.sparse.realsize"))), pieces: map.pieces };
  } else if (extended.has("GNU.sparse.size")) {
    sparse = { size: sizeOf(Number(extended.get("GNU.sparse.size"))), pieces: parsePaxMap(extended, pieces) };
  } else if ([...extended.keys()].some((key) => key.startsWith("GNU.sparse."))) {
    throw damagedArchiveError("a sparse file has no map of its holes");
  }
  if (sparse) checkPieces(sparse, left);
  return {
    name: extended.get("GNU.sparse.name") ?? extended.get("path") ?? (folder ? `${folder}/${own()}` : own()),
    type: sparse ? "0" : type,
    size: left,
    mode: numberAt(block, 100, 8) & 0o7777,
    mtime: timeOf(time === undefined ? numberAt(block, 136, 12) : Number(time)),
    link: extended.get("linkpath") ?? nameOf(untilZeroByte(block.subarray(157, 257))),
    ...(sparse ? { sparse } : {}),
  };
}

/** Checks that pieces are in order, do not overlap, and have the size of the content. */
function checkPieces({ size, pieces }: NonNullable<TarEntry["sparse"]>, content: number): void {
  let end = 0;
  let sum = 0;
  for (const piece of pieces) {
    if (piece.offset < end) throw damagedArchiveError("the segments of a sparse file overlap");
    end = piece.offset + piece.size;
    sum += piece.size;
  }
  if (end > size || sum !== content) throw damagedArchiveError("the segments of a sparse file do not match its size");
}

/** Reads GNU tar's old map: four pieces in the header, and more in following blocks. */
async function readGnuMap(block: Uint8Array, blocks: BlockReader): Promise<Piece[]> {
  const pieces: Piece[] = [];
  const take = (from: Uint8Array, offset: number, count: number) => {
    for (let index = 0; index < count; index++) {
      const position = offset + index * 24;
      if (from[position] === 0) return;
      pieces.push({ offset: sizeOf(numberAt(from, position, 12)), size: sizeOf(numberAt(from, position + 12, 12)) });
    }
    if (pieces.length > MAX_PIECES) throw tooManyPieces();
  };
  take(block, 386, 4);
  for (let continues = block[482], read = 0; continues; read++) {
    if (read > MAX_PIECES / 21) throw tooManyPieces();
    const more = await blocks.readExactly(BLOCK);
    if (!more) throw damagedArchiveError("it ends too early");
    take(more, 0, 21);
    continues = more[504];
  }
  return pieces;
}

/** Reads the map before the content (GNU sparse 1.0): decimal numbers, one per line, padded to whole blocks. */
async function readLeadingMap(blocks: BlockReader, content: number): Promise<{ pieces: Piece[]; bytes: number }> {
  let text = "";
  let bytes = 0;
  const numbers: number[] = [];
  for (let wanted = 1; numbers.length < wanted;) {
    const block = bytes < content ? await blocks.readExactly(BLOCK) : undefined;
    if (!block) throw damagedArchiveError("the map of a sparse file ends too early");
    bytes += BLOCK;
    const lines = (text + ascii.decode(block)).split("\n");
    text = lines.pop()!;
    for (const line of lines) {
      if (numbers.length < wanted) {
        numbers.push(sizeOf(/^\d+$/.test(line) ? Number(line) : NaN));
        if (numbers.length === 1) wanted += 2 * numbers[0]!;
        if (wanted > 2 * MAX_PIECES) throw tooManyPieces();
      }
    }
    // Zeros after the last number fill the block.
    if (numbers.length < wanted && text.length > MAX_NUMBER_LENGTH) {
      throw damagedArchiveError("the map of a sparse file is not a list of numbers");
    }
  }
  return { pieces: toPieces(numbers.slice(1)), bytes };
}

/** Returns the map of GNU sparse 0.1, or of the records of 0.0. */
function parsePaxMap(extended: ReadonlyMap<string, string>, pieces: Piece[]): Piece[] {
  const map = extended.get("GNU.sparse.map");
  return map === undefined ? pieces : toPieces(map.split(",").filter(Boolean).map((text) => sizeOf(Number(text))));
}

function toPieces(numbers: readonly number[]): Piece[] {
  const pieces: Piece[] = [];
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    pieces.push({ offset: numbers[index]!, size: numbers[index + 1]! });
  }
  return pieces;
}

async function headerBody(blocks: BlockReader, size: number): Promise<Uint8Array> {
  const whole = await blocks.readExactly(roundUpToBlocks(size));
  if (!whole) throw damagedArchiveError("it ends too early");
  return whole.subarray(0, size);
}

/** Parses records `LENGTH KEY=VALUE\n`. */
function parseRecords(bytes: Uint8Array, records: Map<string, string>, pieces: Piece[]): void {
  let offset = 0;
  for (let position = 0; position < bytes.length;) {
    const blank = bytes.indexOf(0x20, position);
    const length = blank < 0 ? NaN : Number(ascii.decode(bytes.subarray(position, blank)));
    if (!Number.isInteger(length) || length <= blank - position || position + length > bytes.length) {
      throw damagedArchiveError("an extended header has no length");
    }
    const record = bytes.subarray(blank + 1, position + length - 1);
    const equals = record.indexOf(0x3d);
    position += length;
    if (equals <= 0) continue;
    const key = ascii.decode(record.subarray(0, equals));
    const value = record.subarray(equals + 1);
    if (key === "GNU.sparse.offset") offset = sizeOf(Number(ascii.decode(value)));
    else if (key === "GNU.sparse.numbytes") pieces.push({ offset, size: sizeOf(Number(ascii.decode(value))) });
    // A record without a value removes an earlier one.
    else if (value.length === 0) records.delete(key);
    else records.set(key, key === "path" || key === "linkpath" ? nameOf(value) : ascii.decode(value));
  }
}

function sizeOf(size: number): number {
  if (Number.isSafeInteger(size) && size >= 0) return size;
  throw damagedArchiveError("an entry has no size");
}

/** Returns whole seconds since the epoch within 32 bits; 0 for other values. */
function timeOf(seconds: number): number {
  return seconds >= -(2 ** 31) && seconds < 2 ** 32 ? Math.floor(seconds) : 0;
}

/** Parses octal digits or, for larger values, a two's complement number marked by its first bit. */
function numberAt(block: Uint8Array, offset: number, length: number): number {
  const field = block.subarray(offset, offset + length);
  const first = field[0]!;
  if (!(first & 0x80)) return parseInt(ascii.decode(untilZeroByte(field)).trim() || "0", 8);
  const start = first & 0x40 ? (first & 0x7f) - 0x80 : first & 0x7f;
  return field.subarray(1).reduce((value, byte) => value * 256 + byte, start);
}

function nameOf(bytes: Uint8Array): string {
  try {
    return names.decode(bytes);
  } catch (error) {
    const shown = JSON.stringify(ascii.decode(bytes.subarray(0, 200)));
    throw new Error(`illegal file path in archive: ${shown} is not UTF-8`, { cause: error });
  }
}

function untilZeroByte(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

function isZero(block: Uint8Array): boolean {
  for (const byte of block) if (byte !== 0) return false;
  return true;
}

function tooManyPieces(): Error {
  return damagedArchiveError(`a sparse file has more than ${MAX_PIECES} segments`);
}

/** Returns the error for a damaged archive. */
export function damagedArchiveError(problem: string): Error {
  return new Error(`the archive is damaged: ${problem}`);
}
