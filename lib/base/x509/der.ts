/** DER, the encoding of keys and certificates. */
import { UserError } from "../user_error.ts";
import { concatBytes } from "@noble/hashes/utils.js";
import { toBytes } from "../go/mod.ts";

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  none: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  printable: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The error of invalid DER or an unexpected structure. */
export class DerError extends UserError {
  override readonly name = "DerError";
}

/** An element: its tag, its content, and its complete encoding. */
export interface Element {
  readonly tag: number;
  readonly body: Uint8Array;
  readonly whole: Uint8Array;
}

/** Encodes an element. */
export function element(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const body = concatBytes(...parts);
  if (body.length < 0x80) return concatBytes(Uint8Array.of(tag, body.length), body);
  const length = unsigned(BigInt(body.length));
  return concatBytes(Uint8Array.of(tag, 0x80 | length.length), length, body);
}

/** Returns the big-endian bytes of a nonnegative number: as few as possible, but at least `size`. */
export function unsigned(value: bigint, size = 0): Uint8Array {
  const digits = value.toString(16);
  const even = digits.padStart(Math.max(size * 2, digits.length + digits.length % 2), "0");
  return Uint8Array.from(even.match(/../g)!, (pair) => parseInt(pair, 16));
}

export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return element(TAG.sequence, ...parts);
}

export function set(...parts: readonly Uint8Array[]): Uint8Array {
  return element(TAG.set, ...parts);
}

/** Encodes a nonnegative integer. */
export function integer(value: bigint): Uint8Array {
  const bytes = unsigned(value);
  const [first = 0] = bytes;
  return element(TAG.integer, first & 0x80 ? concatBytes(Uint8Array.of(0), bytes) : bytes);
}

export function boolean(value: boolean): Uint8Array {
  return element(TAG.boolean, Uint8Array.of(value ? 0xff : 0));
}

export function octets(bytes: Uint8Array): Uint8Array {
  return element(TAG.octets, bytes);
}

/** Encodes a bit string without its `unused` last bits. */
export function bits(bytes: Uint8Array, unused = 0): Uint8Array {
  return element(TAG.bits, Uint8Array.of(unused), bytes);
}

export function none(): Uint8Array {
  return element(TAG.none);
}

/** Encodes an object identifier in dotted notation. */
export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const number of rest) {
    const groups = [number & 0x7f];
    for (let left = number >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return element(TAG.oid, Uint8Array.from(bytes));
}

/** Encodes a text as PrintableString if possible, else as UTF8String. */
export function text(value: string): Uint8Array {
  return element(/^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value) ? TAG.printable : TAG.utf8, toBytes(value));
}

/** Encodes a time in seconds; the year has two digits up to 2049. */
export function time(date: Date): Uint8Array {
  const digits = date.toISOString().replace(/\.\d+/, "").replace(/[-:T]/g, "");
  const year = date.getUTCFullYear();
  const isShort = year >= 1950 && year < 2050;
  return element(isShort ? TAG.utcTime : TAG.generalizedTime, toBytes(isShort ? digits.slice(2) : digits));
}

/** Encodes a context-specific tag; `isWrapped` keeps the tag of the content inside (explicit tagging). */
export function tagged(number: number, body: Uint8Array, isWrapped: boolean): Uint8Array {
  return element((isWrapped ? 0xa0 : 0x80) | number, body);
}

/**
 * Decodes a sequence of elements.
 * @throws {DerError}
 */
export function readElements(bytes: Uint8Array): Element[] {
  const found: Element[] = [];
  const truncated = () => new DerError("asn1: syntax error: data truncated");
  for (let offset = 0; offset < bytes.length;) {
    const [tag, first] = bytes.subarray(offset, offset + 2);
    if (tag === undefined || first === undefined) throw truncated();
    const sizeBytes = first & 0x80 ? first & 0x7f : 0;
    let length = first;
    if (sizeBytes > 0) {
      length = bytes.subarray(offset + 2, offset + 2 + sizeBytes).reduce((sum, byte) => sum * 256 + byte, 0);
    }
    const start = offset + 2 + sizeBytes;
    const end = start + length;
    if (!(end <= bytes.length)) throw truncated();
    found.push({ tag, body: bytes.subarray(start, end), whole: bytes.subarray(offset, end) });
    offset = end;
  }
  return found;
}

/**
 * Decodes the elements of a single sequence.
 * @throws {DerError}
 */
export function readSequence(bytes: Uint8Array): Element[] {
  const [outer, ...rest] = readElements(bytes);
  if (outer?.tag !== TAG.sequence || rest.length > 0) throw new DerError("asn1: structure error: no sequence");
  return readElements(outer.body);
}

/**
 * Decodes an integer.
 * @throws {DerError}
 */
export function readInteger(found: Element | undefined): bigint {
  if (found?.tag !== TAG.integer) throw new DerError("asn1: structure error: no integer");
  return readUnsigned(found.body);
}

/** Decodes a big-endian unsigned number. */
export function readUnsigned(bytes: Uint8Array): bigint {
  // By way of hexadecimal text: adding byte by byte would take quadratic time.
  return BigInt(`0x0${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`);
}
