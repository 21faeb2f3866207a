/**
 * Limits on Parquet data, checked before the library reads it: the library allocates lists and repeats values as the
 * file demands.
 */
import * as words from "../../text/en/parquet.ts";

/** A Parquet file, or a part of one, that cannot be shown. The message is shown to the user. */
export class ParquetError extends Error {
  override readonly name = "ParquetError";
}

/** The maximum number of values of a page, and of repetitions of one value. */
export const MAX_VALUES = 1_000_000;
/** The deepest nesting of structures; metadata of the format has seven levels. */
const MAX_DEPTH = 16;
/**
 * The depth of column statistics in the metadata of a file, counting lists. Their numbers are parsed digit by digit.
 */
const STATISTICS = 6;
const MAX_STATISTIC_LENGTH = 4_096;
/** The widest packed number, in bits. */
const WIDEST = 32;

/** Type numbers of Thrift's compact protocol. */
const THRIFT = { stop: 0, yes: 1, no: 2, byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, struct: 12 };

/**
 * Returns the end of a structure in Thrift's compact protocol that has up to `max` fields and elements.
 * @throws {ParquetError} if it is invalid or larger
 */
export function structEnd(bytes: Uint8Array, from: number, max: number): number {
  let offset = from;
  let left = max;
  checkStruct(0);
  return offset;

  function checkStruct(depth: number): void {
    if (depth > MAX_DEPTH) throw new ParquetError(words.metadataTooDeep);
    while (true) {
      const head = byteAt(bytes, offset++);
      const type = head & 0x0f;
      if (type === THRIFT.stop) return;
      if (head >> 4 === 0) offset = readVarint(bytes, offset).end;
      checkElement(type, depth);
    }
  }

  function checkElement(type: number, depth: number): void {
    if (--left < 0) throw new ParquetError(words.metadataTooLarge);
    switch (type) {
      case THRIFT.yes:
      case THRIFT.no:
        return;
      case THRIFT.byte:
        offset += 1;
        return;
      case THRIFT.i16:
      case THRIFT.i32:
      case THRIFT.i64:
        offset = readVarint(bytes, offset).end;
        return;
      case THRIFT.double:
        offset += 8;
        return;
      case THRIFT.binary: {
        const { value, end } = readVarint(bytes, offset);
        offset = end + value;
        if (offset > bytes.length) throw new ParquetError(words.damaged);
        if (depth >= STATISTICS && value > MAX_STATISTIC_LENGTH) throw new ParquetError(words.metadataTooLarge);
        return;
      }
      case THRIFT.list:
        return checkList(depth);
      case THRIFT.struct:
        return checkStruct(depth + 1);
      default:
        throw new ParquetError(words.damaged);
    }
  }

  function checkList(depth: number): void {
    if (depth > MAX_DEPTH) throw new ParquetError(words.metadataTooDeep);
    const head = byteAt(bytes, offset++);
    let size = head >> 4;
    if (size === 15) ({ value: size, end: offset } = readVarint(bytes, offset));
    // Each element takes at least one byte.
    if (size > bytes.length - offset) throw new ParquetError(words.damaged);
    const type = head & 0x0f;
    for (let i = 0; i < size; i++) {
      checkElement(type === THRIFT.yes || type === THRIFT.no ? THRIFT.byte : type, depth + 1);
    }
  }
}

/**
 * Checks the runs of `count` numbers of a width in bits, as levels and dictionary indexes are encoded, and returns how
 * many numbers they contain: the last run may contain more than needed.
 * @throws {ParquetError} if a run exceeds {@link MAX_VALUES}
 */
export function checkRuns(bytes: Uint8Array, from: number, count: number, width: number): number {
  if (width > WIDEST) throw new ParquetError(words.damaged);
  let offset = from;
  let seen = 0;
  while (seen < count && offset < bytes.length) {
    const { value: head, end } = readVarint(bytes, offset);
    const isPacked = (head & 1) === 1;
    const groups = Math.floor(head / 2);
    const values = isPacked ? groups * 8 : groups;
    if (values > MAX_VALUES) throw new ParquetError(words.damaged);
    // The library reads a byte of packed numbers even if the run is empty.
    offset = end + (isPacked ? Math.max(1, groups * width) : Math.ceil(width / 8));
    seen += values;
  }
  return seen;
}

/** Checks the header of delta-encoded numbers. @throws {ParquetError} if it is invalid */
export function checkDeltas(bytes: Uint8Array, from: number): void {
  const { value: block, end } = readVarint(bytes, from);
  const { value: parts } = readVarint(bytes, end);
  if (block === 0 || block > MAX_VALUES || parts === 0 || parts > 4_096 || block % parts !== 0) {
    throw new ParquetError(words.damaged);
  }
}

/** Reads a variable-length number with seven bits per byte, of up to ten bytes. */
function readVarint(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let i = 0; i < 10; i++) {
    const byte = byteAt(bytes, from + i);
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, end: from + i + 1 };
  }
  throw new ParquetError(words.damaged);
}

function byteAt(bytes: Uint8Array, offset: number): number {
  const byte = bytes[offset];
  if (byte === undefined) throw new ParquetError(words.damaged);
  return byte;
}
