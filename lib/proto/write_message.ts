/** Encodes JSON of Argo's objects as a message. */
import { BinaryWriter, INT32_MAX, INT32_MIN, UINT32_MAX, WireType } from "@bufbuild/protobuf/wire";
import { anyString } from "@tiphys/base/go";
import { KINDS } from "./kinds.ts";
import { wireOf } from "./read_message.ts";
import type { Field, MessageType, Scalar } from "./message_type.ts";
import { isObject } from "@tiphys/base/fields_of";

/**
 * Encodes a message. Unknown fields, and values of the wrong type, are omitted, since Argo's clients could not
 * represent them.
 */
export function writeMessage(type: MessageType, json: unknown): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  writeFields(writer, type, json);
  return writer.finish();
}

type Fields = Readonly<Record<string, unknown>>;

function writeFields(writer: BinaryWriter, type: MessageType, json: unknown): void {
  const fields = fieldsOf(type, json);
  if (!fields) return;
  for (const field of type.fields) {
    if (field.isInline) writeInline(writer, field, fields);
    else if (Object.hasOwn(fields, field.name)) writeField(writer, field, fields[field.name]);
  }
}

/** Returns the fields of a message by their JSON names; undefined for JSON of the wrong type. */
function fieldsOf(type: MessageType, json: unknown): Fields | undefined {
  if (type.wrappedField) return { [type.wrappedField.name]: json };
  const kind = KINDS.get(type.name);
  return kind ? kind.toFields(json) : isObject(json) ? json : undefined;
}

/** Writes an inline message from the fields of the enclosing object. */
function writeInline(writer: BinaryWriter, field: Field, fields: Fields): void {
  if (field.type.kind !== "message") return;
  const bytes = writeMessage(field.type.message, fields);
  if (bytes.length > 0) writer.tag(field.number, wireOf(field)).bytes(bytes);
}

function writeField(writer: BinaryWriter, field: Field, value: unknown): void {
  if (value === null || value === undefined) {
    // JSON's null is a value of a field with any JSON.
    if (value === null && holdsJson(field)) writeValue(writer, field, value);
    return;
  }
  switch (field.shape) {
    case "one":
      return writeValue(writer, field, value);
    case "list":
      if (!Array.isArray(value)) return;
      if (field.isPacked) return writePacked(writer, field, value);
      for (const item of value) writeValue(writer, field, item);
      return;
    case "map":
      if (!isObject(value)) return;
      for (const [key, item] of Object.entries(value)) {
        writer.tag(field.number, wireOf(field)).fork();
        writer.tag(1, wireOf(KEY)).string(key);
        writeValue(writer, { ...field, number: 2, shape: "one" }, item);
        writer.join();
      }
      return;
  }
}

const KEY: Field = {
  number: 1,
  name: "key",
  type: { kind: "scalar", scalar: "string" },
  shape: "one",
  hasPresence: false,
  isAlwaysWritten: false,
  isInline: false,
  isPacked: false,
};

function holdsJson({ type }: Field): boolean {
  return type.kind === "scalar" && type.scalar === "json";
}

/** Writes a value with its tag, or nothing for a value of the wrong type. */
function writeValue(writer: BinaryWriter, field: Field, value: unknown): void {
  const { type } = field;
  if (type.kind === "message") {
    if (!fieldsOf(type.message, value)) return;
    writer.tag(field.number, wireOf(field)).fork();
    writeFields(writer, type.message, value);
    writer.join();
    return;
  }
  if (type.kind === "enum") {
    const number = typeof value === "number" ? value : type.names.indexOf(String(value));
    if (type.names[number] !== undefined) writer.tag(field.number, wireOf(field)).int32(number);
    return;
  }
  const fitting = convertScalar(type.scalar, value);
  if (fitting === undefined) return;
  writer.tag(field.number, wireOf({ ...field, shape: "one" }));
  writeScalar(writer, type.scalar, fitting);
}

function writePacked(writer: BinaryWriter, { number, type }: Field, values: readonly unknown[]): void {
  if (type.kind !== "scalar" || values.length === 0) return;
  writer.tag(number, WireType.LengthDelimited).fork();
  for (const value of values) {
    const fitting = convertScalar(type.scalar, value);
    if (fitting !== undefined) writeScalar(writer, type.scalar, fitting);
  }
  writer.join();
}

function writeScalar(
  writer: BinaryWriter,
  scalar: Scalar,
  fitting: NonNullable<ReturnType<typeof convertScalar>>,
): void {
  switch (scalar) {
    case "bool":
      return void writer.bool(fitting === true);
    case "int32":
      return void writer.int32(Number(fitting));
    case "int64":
      return void writer.int64(fitting as number | string);
    case "uint32":
      return void writer.uint32(Number(fitting));
    case "uint64":
      return void writer.uint64(fitting as number | string);
    case "fixed64":
      return void writer.fixed64(fitting as number | string);
    case "double":
      return void writer.double(Number(fitting));
    case "hex":
    case "bytes":
      return void writer.bytes(fitting as Uint8Array);
    case "string":
    case "anyString":
    case "json":
    case "number":
      return void writer.string(String(fitting));
  }
}

/** Converts a value to the type of its field; undefined if that is not possible. */
function convertScalar(scalar: Scalar, value: unknown): string | number | boolean | Uint8Array | undefined {
  switch (scalar) {
    case "anyString":
      return anyString(value);
    case "string":
    case "number":
      return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
        ? String(value)
        : undefined;
    case "bool":
      return typeof value === "boolean" ? value : undefined;
    case "int32":
      return parseInteger(value, BigInt(INT32_MIN), BigInt(INT32_MAX));
    case "uint32":
      return parseInteger(value, 0n, BigInt(UINT32_MAX));
    case "int64":
      return parseInteger(value, -(2n ** 63n), 2n ** 63n - 1n);
    case "uint64":
    case "fixed64":
      return parseInteger(value, 0n, 2n ** 64n - 1n);
    case "double":
      return typeof value === "number" ? value : undefined;
    case "bytes":
      return typeof value === "string" ? bytesOf(value, Uint8Array.fromBase64) : undefined;
    case "hex":
      return typeof value === "string" ? bytesOf(value, Uint8Array.fromHex) : undefined;
    case "json":
      return JSON.stringify(value);
  }
}

/** Returns an integer within bounds, also from a string, which protobuf's JSON uses for large ones. */
function parseInteger(value: unknown, min: bigint, max: bigint): number | string | undefined {
  if (typeof value === "string" ? !/^-?\d{1,20}$/.test(value) : !Number.isSafeInteger(value)) return undefined;
  const number = BigInt(value as number | string);
  return number >= min && number <= max ? value as number | string : undefined;
}

function bytesOf(text: string, read: (text: string) => Uint8Array): Uint8Array | undefined {
  try {
    return read(text);
  } catch {
    return undefined;
  }
}
