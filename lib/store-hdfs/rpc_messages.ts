/** Protocol buffer messages of Hadoop's RPC, encoded and decoded by field number without a schema. */
import { joinedBytes } from "@tiphys/base/joined_bytes";

/** The value of a field: a non-negative number, text, bytes, or a message. */
export type FieldValue = number | bigint | boolean | string | Uint8Array;

/** The fields of a message. Fields without a value are omitted, and a list is a repeated field. */
export type Fields = readonly (readonly [number: number, value: FieldValue | readonly FieldValue[] | undefined])[];

const KIND = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 };

/** Error for an invalid message. */
export class MessageError extends Error {
  override readonly name = "MessageError";
}

/** Encodes a message. */
export function message(fields: Fields): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  for (const [number, given] of fields) {
    const values: readonly (FieldValue | undefined)[] = Array.isArray(given)
      ? given
      : [given as FieldValue | undefined];
    for (const value of values) if (value !== undefined) parts.push(...field(number, value));
  }
  return joinedBytes(parts);
}

function field(number: number, value: FieldValue): Uint8Array[] {
  if (typeof value === "string" || value instanceof Uint8Array) {
    const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
    return [varint(number << 3 | KIND.bytes), varint(bytes.length), bytes];
  }
  return [varint(number << 3 | KIND.varint), varint(typeof value === "boolean" ? Number(value) : value)];
}

/** Encodes a varint, seven bits per byte. */
export function varint(value: number | bigint): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return new Uint8Array([...bytes, Number(left)]);
}

/** Encodes a signed number as in `sint` fields. */
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** Returns a message with a length prefix. */
export function prefixVarintLength(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return joinedBytes([varint(bytes.length), bytes]);
}

/** Returns bytes with a four-byte length prefix. */
export function prefixFourByteLength(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, bytes.length);
  return joinedBytes([size, bytes]);
}

/** A decoded message. The last value of a field counts, or all values of a repeated one. */
export class Message {
  readonly #fields = new Map<number, (bigint | Uint8Array)[]>();

  /** @throws {MessageError} when the bytes are invalid. */
  constructor(bytes: Uint8Array) {
    const reader = new Reader(bytes);
    while (!reader.isOver) {
      const tag = Number(reader.varint());
      const values = this.#fields.get(tag >>> 3) ?? [];
      values.push(reader.value(tag & 7));
      this.#fields.set(tag >>> 3, values);
    }
  }

  bytes(number: number): Uint8Array | undefined {
    return this.#all(number).findLast((value) => value instanceof Uint8Array);
  }

  text(number: number): string | undefined {
    const bytes = this.bytes(number);
    return bytes && new TextDecoder().decode(bytes);
  }

  number(number: number): number | undefined {
    const value = this.#all(number).findLast((value) => typeof value === "bigint");
    return value === undefined ? undefined : Number(value);
  }

  /** Returns a signed number of a `sint` field. */
  signed(number: number): number | undefined {
    const value = this.number(number);
    return value === undefined ? undefined : value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  message(number: number): Message | undefined {
    const bytes = this.bytes(number);
    return bytes && new Message(bytes);
  }

  allBytes(number: number): Uint8Array[] {
    return this.#all(number).filter((value) => value instanceof Uint8Array);
  }

  /** Returns the numbers of a repeated field, packed or not. */
  numbers(number: number): number[] {
    return this.#all(number).flatMap((value) => {
      if (typeof value === "bigint") return [Number(value)];
      const reader = new Reader(value);
      const all: number[] = [];
      while (!reader.isOver) all.push(Number(reader.varint()));
      return all;
    });
  }

  #all(number: number): readonly (bigint | Uint8Array)[] {
    return this.#fields.get(number) ?? [];
  }
}

/** Reads bytes sequentially. */
export class Reader {
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  get isOver(): boolean {
    return this.#at >= this.bytes.length;
  }

  /** The number of unread bytes. */
  get left(): number {
    return Math.max(0, this.bytes.length - this.#at);
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.#at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw new MessageError("a number in it has no end");
  }

  value(kind: number): bigint | Uint8Array {
    if (kind === KIND.varint) return this.varint();
    if (kind === KIND.fixed64) return this.#little(8);
    if (kind === KIND.fixed32) return this.#little(4);
    if (kind === KIND.bytes) return this.take(Number(this.varint()));
    throw new MessageError(`it has a field of the unknown kind ${kind}`);
  }

  take(size: number): Uint8Array {
    if (size > this.bytes.length - this.#at) throw new MessageError("it ends too early");
    this.#at += size;
    return this.bytes.subarray(this.#at - size, this.#at);
  }

  #little(size: number): bigint {
    return this.take(size).reduceRight((sum, byte) => sum << 8n | BigInt(byte), 0n);
  }
}
