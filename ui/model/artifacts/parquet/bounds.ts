/**
 * Bounds of what the bytes of a Parquet file ask for, held before the library reads them: it makes lists as long as the
 * file says, and repeats a value as often.
 */
import * as words from "../../text/en/parquet.ts";

/** A Parquet file, or a part of one, that is not shown, in words for a person that follow "as". */
export class ParquetError extends Error {
  override readonly name = "ParquetError";
}

/** The most values of a page, and the most times that one value is repeated. */
export const MOST_VALUES = 1_000_000;
/** The most places of structures in one another; metadata of the format has seven. */
const DEEPEST = 16;
/** Where the statistics of a column lie in the metadata of a file, lists counted; numbers in them are read digit by digit. */
const STATISTICS = 6;
const LONGEST_STATISTIC = 4_096;
/** Bits of a packed number. */
const WIDEST = 32;

/** Type numbers of the compact protocol of Thrift. */
const THRIFT = { stop: 0, yes: 1, no: 2, byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, struct: 12 };

/**
 * The end of a structure of Thrift's compact protocol, which has no more than so many fields and elements.
 * @throws {ParquetError} where it is none, or has more.
 */
export function structEnd(bytes: Uint8Array, from: number, most: number): number {
  let at = from;
  let left = most;
  struct(0);
  return at;

  function struct(depth: number): void {
    if (depth > DEEPEST) throw new ParquetError(words.metadataTooDeep);
    while (true) {
      const head = byteAt(bytes, at++);
      const type = head & 0x0f;
      if (type === THRIFT.stop) return;
      if (head >> 4 === 0) at = varint(bytes, at).end;
      element(type, depth);
    }
  }

  function element(type: number, depth: number): void {
    if (--left < 0) throw new ParquetError(words.metadataTooLarge);
    switch (type) {
      case THRIFT.yes:
      case THRIFT.no:
        return;
      case THRIFT.byte:
        at += 1;
        return;
      case THRIFT.i16:
      case THRIFT.i32:
      case THRIFT.i64:
        at = varint(bytes, at).end;
        return;
      case THRIFT.double:
        at += 8;
        return;
      case THRIFT.binary: {
        const { value, end } = varint(bytes, at);
        at = end + value;
        if (at > bytes.length) throw new ParquetError(words.damaged);
        if (depth >= STATISTICS && value > LONGEST_STATISTIC) throw new ParquetError(words.metadataTooLarge);
        return;
      }
      case THRIFT.list:
        return list(depth);
      case THRIFT.struct:
        return struct(depth + 1);
      default:
        throw new ParquetError(words.damaged);
    }
  }

  function list(depth: number): void {
    if (depth > DEEPEST) throw new ParquetError(words.metadataTooDeep);
    const head = byteAt(bytes, at++);
    let size = head >> 4;
    if (size === 15) ({ value: size, end: at } = varint(bytes, at));
    // Each element takes a byte or more.
    if (size > bytes.length - at) throw new ParquetError(words.damaged);
    const type = head & 0x0f;
    for (let i = 0; i < size; i++) element(type === THRIFT.yes || type === THRIFT.no ? THRIFT.byte : type, depth + 1);
  }
}

/**
 * Looks at the runs of so many numbers of a width in bits, as levels and places in a dictionary are written, and says how
 * many numbers they hold: the last run may hold more than are wanted.
 * @throws {ParquetError} where one asks for more than {@link MOST_VALUES}.
 */
export function checkRuns(bytes: Uint8Array, from: number, count: number, width: number): number {
  if (width > WIDEST) throw new ParquetError(words.damaged);
  let at = from;
  let seen = 0;
  while (seen < count && at < bytes.length) {
    const { value: head, end } = varint(bytes, at);
    const isPacked = (head & 1) === 1;
    const groups = Math.floor(head / 2);
    const values = isPacked ? groups * 8 : groups;
    if (values > MOST_VALUES) throw new ParquetError(words.damaged);
    // The library takes a byte of packed numbers even where there are none.
    at = end + (isPacked ? Math.max(1, groups * width) : Math.ceil(width / 8));
    seen += values;
  }
  return seen;
}

/** Looks at the head of numbers that are written as differences. @throws {ParquetError} */
export function checkDeltas(bytes: Uint8Array, from: number): void {
  const { value: block, end } = varint(bytes, from);
  const { value: parts } = varint(bytes, end);
  if (block === 0 || block > MOST_VALUES || parts === 0 || parts > 4_096 || block % parts !== 0) {
    throw new ParquetError(words.damaged);
  }
}

/** A number of seven bits a byte; one of more than ten bytes is none. */
function varint(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let i = 0; i < 10; i++) {
    const byte = byteAt(bytes, from + i);
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, end: from + i + 1 };
  }
  throw new ParquetError(words.damaged);
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new ParquetError(words.damaged);
  return byte;
}
