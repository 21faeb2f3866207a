/** Decodes a message to the JSON that Argo's REST clients would send. */
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { parseJson } from "@tiphys/base/bounded_json";
import { KINDS } from "./kinds.ts";
import type { Field, MessageType, Scalar } from "./message_type.ts";

/** The error of an invalid message, or one that exceeds a limit. */
export class MessageError extends Error {
  override readonly name = "MessageError";
}

/** Limits of decoding: a short message may decode to many objects. */
export interface ReadLimits {
  /** Nesting depth of messages. */
  readonly depth: number;
  /** Number of fields, list items and map entries. */
  readonly parts: number;
}

export const READ_LIMITS: ReadLimits = { depth: 100, parts: 2_000_000 };

interface Reading {
  readonly limits: ReadLimits;
  parts: number;
}

/**
 * Decodes a message. Zeros that are not distinguished from absence, and unknown fields, are omitted.
 * @throws {MessageError} for invalid bytes, and above the limits.
 */
export function readMessage(type: MessageType, bytes: Uint8Array, limits: ReadLimits = READ_LIMITS): unknown {
  try {
    return readFields(type, bytes, { limits, parts: 0 }, 0);
  } catch (error) {
    if (error instanceof MessageError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new MessageError(`invalid ${type.name} message: ${why}`, { cause: error });
  }
}

type Entries = [string, unknown][];

function readFields(type: MessageType, bytes: Uint8Array, reading: Reading, depth: number): unknown {
  if (depth > reading.limits.depth) {
    throw new MessageError(`the message is nested more than ${reading.limits.depth} levels deep`);
  }
  const reader = new BinaryReader(bytes);
  const found: Record<string, unknown> = {};
  const maps = new Map<Field, Entries>();
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const field = type.byNumber.get(number);
    countValue(reading);
    if (!field) {
      reader.skip(wire, number);
      continue;
    }
    if (field.shape === "map") {
      const entry = readEntry(field, lengthDelimited(reader, wire, type, field), reading, depth);
      const entries = maps.get(field);
      if (entries) entries.push(entry);
      else maps.set(field, [entry]);
    } else if (field.shape === "list") {
      const list = (found[field.name] ??= []) as unknown[];
      readItems(reader, wire, type, field, list, reading, depth);
    } else {
      const value = readValue(reader, wire, type, field, reading, depth);
      if (field.isInline) Object.assign(found, value);
      else if (field.hasPresence || type.wrappedField || !isZero(value)) found[field.name] = value;
    }
  }
  for (const [field, entries] of maps) found[field.name] = Object.fromEntries(entries);
  if (type.wrappedField) return found[type.wrappedField.name] ?? (type.wrappedField.shape === "list" ? [] : null);
  const kind = KINDS.get(type.name);
  return kind ? kind.toJson(found) : found;
}

function countValue(reading: Reading): void {
  if (++reading.parts > reading.limits.parts) {
    throw new MessageError(`the message has more than ${reading.limits.parts} parts`);
  }
}

function isZero(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === 0 || value === false) return true;
  return typeof value === "object" && !Array.isArray(value) && isEmpty(value);
}

function isEmpty(value: object): boolean {
  for (const _key in value) return false;
  return true;
}

function lengthDelimited(reader: BinaryReader, wire: WireType, type: MessageType, field: Field): Uint8Array {
  expectWire(wire, WireType.LengthDelimited, type, field);
  return reader.bytes();
}

function expectWire(wire: WireType, expected: WireType, type: MessageType, field: Field): void {
  if (wire !== expected) {
    throw new MessageError(`${type.name}.${field.name}: expected the wire type ${expected}, got ${wire}`);
  }
}

function readItems(
  reader: BinaryReader,
  wire: WireType,
  type: MessageType,
  field: Field,
  list: unknown[],
  reading: Reading,
  depth: number,
): void {
  const isPacked = field.type.kind === "scalar" && wire === WireType.LengthDelimited &&
    wireOf(field) !== WireType.LengthDelimited;
  if (!isPacked) {
    list.push(readValue(reader, wire, type, field, reading, depth));
    return;
  }
  const packed = new BinaryReader(reader.bytes());
  while (packed.pos < packed.len) {
    countValue(reading);
    list.push(readValue(packed, wireOf(field), type, field, reading, depth));
  }
}

/** Decodes an entry of a map: a message with the key as its first field and the value as its second. */
function readEntry(field: Field, bytes: Uint8Array, reading: Reading, depth: number): [string, unknown] {
  const reader = new BinaryReader(bytes);
  let key = "";
  let value: unknown;
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (number === 1 && wire === WireType.LengthDelimited) key = reader.string();
    else if (number === 2) value = readValue(reader, wire, ENTRY, field, reading, depth);
    else reader.skip(wire, number);
  }
  return [key, value ?? zeroOf(field)];
}

const ENTRY: MessageType = { name: "(an entry)", fields: [], byNumber: new Map(), wrappedField: undefined };

function zeroOf({ type }: Field): unknown {
  if (type.kind === "enum") return type.names[0];
  if (type.kind === "message") return readMessage(type.message, new Uint8Array());
  return type.scalar === "bool"
    ? false
    : type.scalar === "string" || type.scalar === "anyString"
    ? ""
    : type.scalar.includes("int")
    ? 0
    : null;
}

/** Returns the wire type of a field that is not packed. */
export function wireOf({ type, shape }: Field): WireType {
  if (shape === "map" || type.kind === "message") return WireType.LengthDelimited;
  if (type.kind === "enum") return WireType.Varint;
  switch (type.scalar) {
    case "bool":
    case "int32":
    case "int64":
    case "uint32":
    case "uint64":
      return WireType.Varint;
    case "double":
    case "fixed64":
      return WireType.Bit64;
    case "string":
    case "anyString":
    case "bytes":
    case "hex":
    case "json":
    case "number":
      return WireType.LengthDelimited;
  }
}

function readValue(
  reader: BinaryReader,
  wire: WireType,
  owner: MessageType,
  field: Field,
  reading: Reading,
  depth: number,
): unknown {
  const { type } = field;
  if (type.kind === "message") {
    return readFields(type.message, lengthDelimited(reader, wire, owner, field), reading, depth + 1);
  }
  expectWire(wire, wireOf({ ...field, shape: "one" }), owner, field);
  return type.kind === "enum" ? type.names[reader.int32()] : readScalar(reader, type.scalar, owner, field);
}

function readScalar(reader: BinaryReader, scalar: Scalar, owner: MessageType, field: Field): unknown {
  switch (scalar) {
    case "string":
    case "anyString":
      return reader.string();
    case "bool":
      return reader.bool();
    case "int32":
      return reader.int32();
    case "int64":
      return wholeNumber(reader.int64());
    case "uint32":
      return reader.uint32();
    case "uint64":
      return wholeNumber(reader.uint64());
    case "fixed64":
      return wholeNumber(reader.fixed64());
    case "double":
      return reader.double();
    case "hex":
      return reader.bytes().toHex();
    case "bytes":
      return reader.bytes().toBase64();
    case "number":
      return parseNumber(reader.string(), owner, field);
    case "json":
      return parseJsonField(reader.string(), owner, field);
  }
}

/** Returns an integer as protobuf's JSON does: a string if a number would lose precision. */
function wholeNumber(value: bigint | string): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function parseNumber(text: string, owner: MessageType, field: Field): number | undefined {
  if (text === "") return undefined;
  const number = Number(text);
  if (Number.isFinite(number)) return number;
  throw new MessageError(`${owner.name}.${field.name}: expected a number, got ${JSON.stringify(text.slice(0, 100))}`);
}

function parseJsonField(text: string, owner: MessageType, field: Field): unknown {
  if (text === "") return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new MessageError(`${owner.name}.${field.name}: ${why}`, { cause: error });
  }
}
