/** The headers of a tar archive: v7, ustar, pax, and what GNU tar adds. */
import type { Blocks } from "./blocks.ts";

export const BLOCK = 512;

/** An extended header holds a few names: none is longer than this, bytes. */
const LONGEST_HEADER = 1 << 20;

/** The most pieces of data that a sparse file may have. */
const MOST_PIECES = 1_000_000;

/** No number of a map of pieces has more digits. */
const LONGEST_NUMBER = 20;

const names = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const ascii = new TextDecoder();

/** An entry of an archive. */
export interface TarEntry {
  readonly name: string;
  /** One character; `0` is a file. */
  readonly type: string;
  /** Bytes that follow the header. */
  readonly size: number;
  readonly mode: number;
  /** Seconds since 1970. */
  readonly mtime: number;
  readonly link: string;
  /** Of a file with holes: its whole size, and which of its pieces follow. */
  readonly sparse?: { readonly size: number; readonly pieces: readonly Piece[] };
}

/** A piece of a file, bytes. */
export interface Piece {
  readonly offset: number;
  readonly size: number;
}

/** The next entry with what extended headers before it say; undefined at the end, `marked` when the archive says so. */
export async function nextEntry(blocks: Blocks): Promise<TarEntry | { readonly end: "marked" | "cut" }> {
  const extended = new Map<string, string>();
  const pieces: Piece[] = [];
  // All extended headers of one entry together: each of them adds to what is remembered.
  let bytes = 0;
  const body = async (size: number) => {
    bytes += size;
    if (bytes > LONGEST_HEADER) throw damaged(`an extended header has ${bytes} bytes, more than ${LONGEST_HEADER}`);
    return await headerBody(blocks, size);
  };
  while (true) {
    const block = await blocks.take(BLOCK);
    if (block === undefined) return { end: "cut" };
    if (isZero(block)) return { end: "marked" };
    if (!isHeader(block)) throw damaged("a header's checksum is wrong");
    const size = sizeOf(numberAt(block, 124, 12));
    const type = String.fromCharCode(block[156] || 0x30);
    if (type === "x") takeRecords(await body(size), extended, pieces);
    else if (type === "L") extended.set("path", nameOf(untilZero(await body(size))));
    else if (type === "K") extended.set("linkpath", nameOf(untilZero(await body(size))));
    else if (type === "g") await blocks.skip(padded(size));
    // The map of a file with holes is read before all of its header is: what is read may overwrite it.
    else return await entryOf(block.slice(), { type, size, extended, pieces, blocks });
  }
}

/** Bytes up to whole blocks. */
export function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

/** Every header holds the sum of its own bytes, its own field counted as blanks. */
export function isHeader(block: Uint8Array): boolean {
  if (block.length !== BLOCK) return false;
  let sum = 8 * 0x20;
  for (let index = 0; index < BLOCK; index++) if (index < 148 || index >= 156) sum += block[index]!;
  return numberAt(block, 148, 8) === sum;
}

interface Told {
  readonly type: string;
  readonly size: number;
  readonly extended: ReadonlyMap<string, string>;
  readonly pieces: Piece[];
  readonly blocks: Blocks;
}

async function entryOf(block: Uint8Array, { type, size, extended, pieces, blocks }: Told): Promise<TarEntry> {
  const isPosix = ascii.decode(block.subarray(257, 263)) === "ustar\0";
  const folder = isPosix ? nameOf(untilZero(block.subarray(345, 500))) : "";
  const own = () => nameOf(untilZero(block.subarray(0, 100)));
  const told = extended.get("size");
  const time = extended.get("mtime");
  let left = told === undefined ? size : sizeOf(Number(told));
  let sparse: TarEntry["sparse"];
  if (type === "S") {
    sparse = { size: sizeOf(numberAt(block, 483, 12)), pieces: await oldPieces(block, blocks) };
  } else if (extended.get("GNU.sparse.major") === "1" && extended.get("GNU.sparse.minor") === "0") {
    const map = await leadingPieces(blocks, left);
    left -= map.bytes;
    sparse = { size: sizeOf(Number(extended.get("GNU.sparse.realsize"))), pieces: map.pieces };
  } else if (extended.has("GNU.sparse.size")) {
    sparse = { size: sizeOf(Number(extended.get("GNU.sparse.size"))), pieces: mapped(extended, pieces) };
  } else if (extended.keys().some((key) => key.startsWith("GNU.sparse."))) {
    throw damaged("a file with holes does not say where they are");
  }
  if (sparse) checkPieces(sparse, left);
  return {
    name: extended.get("GNU.sparse.name") ?? extended.get("path") ?? (folder ? `${folder}/${own()}` : own()),
    type: sparse ? "0" : type,
    size: left,
    mode: numberAt(block, 100, 8) & 0o7777,
    mtime: timeOf(time === undefined ? numberAt(block, 136, 12) : Number(time)),
    link: extended.get("linkpath") ?? nameOf(untilZero(block.subarray(157, 257))),
    ...(sparse ? { sparse } : {}),
  };
}

/** Pieces stand in order, do not overlap, and have all that follows as their content. */
function checkPieces({ size, pieces }: NonNullable<TarEntry["sparse"]>, content: number): void {
  let end = 0;
  let sum = 0;
  for (const piece of pieces) {
    if (piece.offset < end) throw damaged("the pieces of a file with holes overlap");
    end = piece.offset + piece.size;
    sum += piece.size;
  }
  if (end > size || sum !== content) throw damaged("the pieces of a file with holes are not its size");
}

/** GNU tar's own map: four pieces in the header, and more in blocks behind it. */
async function oldPieces(block: Uint8Array, blocks: Blocks): Promise<Piece[]> {
  const pieces: Piece[] = [];
  const take = (from: Uint8Array, offset: number, count: number) => {
    for (let index = 0; index < count; index++) {
      const at = offset + index * 24;
      if (from[at] === 0) return;
      pieces.push({ offset: sizeOf(numberAt(from, at, 12)), size: sizeOf(numberAt(from, at + 12, 12)) });
    }
    if (pieces.length > MOST_PIECES) throw tooManyPieces();
  };
  take(block, 386, 4);
  for (let goesOn = block[482]; goesOn;) {
    const more = await blocks.take(BLOCK);
    if (!more) throw damaged("it ends too early");
    take(more, 0, 21);
    goesOn = more[504];
  }
  return pieces;
}

/** The map in front of the content (GNU sparse 1.0): decimal numbers, each on a line, up to whole blocks. */
async function leadingPieces(blocks: Blocks, content: number): Promise<{ pieces: Piece[]; bytes: number }> {
  let text = "";
  let bytes = 0;
  const numbers: number[] = [];
  for (let wanted = 1; numbers.length < wanted;) {
    const block = bytes < content ? await blocks.take(BLOCK) : undefined;
    if (!block) throw damaged("the map of a file with holes ends too early");
    bytes += BLOCK;
    const lines = (text + ascii.decode(block)).split("\n");
    text = lines.pop()!;
    for (const line of lines) {
      if (numbers.length < wanted) {
        numbers.push(sizeOf(/^\d+$/.test(line) ? Number(line) : NaN));
        if (numbers.length === 1) wanted += 2 * numbers[0]!;
        if (wanted > 2 * MOST_PIECES) throw tooManyPieces();
      }
    }
    // Behind the last number zeros fill the block.
    if (numbers.length < wanted && text.length > LONGEST_NUMBER) {
      throw damaged("the map of a file with holes is no list of numbers");
    }
  }
  return { pieces: inPairs(numbers.slice(1)), bytes };
}

/** The map of GNU sparse 0.1, or what the records of 0.0 said. */
function mapped(extended: ReadonlyMap<string, string>, pieces: Piece[]): Piece[] {
  const map = extended.get("GNU.sparse.map");
  return map === undefined ? pieces : inPairs(map.split(",").filter(Boolean).map((text) => sizeOf(Number(text))));
}

function inPairs(numbers: readonly number[]): Piece[] {
  const pieces: Piece[] = [];
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    pieces.push({ offset: numbers[index]!, size: numbers[index + 1]! });
  }
  return pieces;
}

async function headerBody(blocks: Blocks, size: number): Promise<Uint8Array> {
  const whole = await blocks.take(padded(size));
  if (!whole) throw damaged("it ends too early");
  return whole.subarray(0, size);
}

/** `LENGTH KEY=VALUE\n`, one after the other. */
function takeRecords(bytes: Uint8Array, found: Map<string, string>, pieces: Piece[]): void {
  let offset = 0;
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(0x20, at);
    const length = blank < 0 ? NaN : Number(ascii.decode(bytes.subarray(at, blank)));
    if (!Number.isInteger(length) || length <= blank - at || at + length > bytes.length) {
      throw damaged("an extended header has no length");
    }
    const record = bytes.subarray(blank + 1, at + length - 1);
    const equals = record.indexOf(0x3d);
    at += length;
    if (equals <= 0) continue;
    const key = ascii.decode(record.subarray(0, equals));
    const value = record.subarray(equals + 1);
    if (key === "GNU.sparse.offset") offset = sizeOf(Number(ascii.decode(value)));
    else if (key === "GNU.sparse.numbytes") pieces.push({ offset, size: sizeOf(Number(ascii.decode(value))) });
    // A record without a value takes back what was said before.
    else if (value.length === 0) found.delete(key);
    else found.set(key, key === "path" || key === "linkpath" ? nameOf(value) : ascii.decode(value));
  }
}

function sizeOf(size: number): number {
  if (Number.isSafeInteger(size) && size >= 0) return size;
  throw damaged("an entry has no size");
}

/** Whole seconds since 1970, within what 32 bits hold: others are no time at which a file was changed. */
function timeOf(seconds: number): number {
  return seconds >= -(2 ** 31) && seconds < 2 ** 32 ? Math.floor(seconds) : 0;
}

/** Octal digits, or, for what they cannot hold, a binary number of two's complement marked by its first bit. */
function numberAt(block: Uint8Array, offset: number, length: number): number {
  const field = block.subarray(offset, offset + length);
  const first = field[0]!;
  if (!(first & 0x80)) return parseInt(ascii.decode(untilZero(field)).trim() || "0", 8);
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

function untilZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

function isZero(block: Uint8Array): boolean {
  for (const byte of block) if (byte !== 0) return false;
  return true;
}

function tooManyPieces(): Error {
  return damaged(`a file with holes has more than ${MOST_PIECES} pieces`);
}

/** The error for an archive that does not hold what it should. */
export function damaged(how: string): Error {
  return new Error(`the archive is damaged: ${how}`);
}
