/** Case-insensitive field names in bodies of requests, as in Argo's server. */
import { isKindName } from "@tiphys/model/api";
import type { MessageType } from "@tiphys/proto";
import type { JsonObject } from "./body.ts";

/** The maximum nesting of messages. No valid request is deeper. */
const MAX_DEPTH = 100;

/**
 * Renames fields of a body that differ from a field of its message only in case. If a field occurs in several
 * spellings, the last one wins, as in Go. Keys of maps are unchanged. So are objects of kinds, whose own parsers handle
 * the case of names.
 */
export function withFieldNames(body: JsonObject, message: MessageType): JsonObject {
  return renameFields(message, body, 0);
}

/** Returns the same object if nothing was renamed. */
function renameFields(message: MessageType, object: JsonObject, depth: number): JsonObject {
  const { exact, folded } = namesOf(message);
  const fields: [string, unknown][] = [];
  let differs = false;
  for (const [name, value] of Object.entries(object)) {
    const known = exact.has(name) ? name : folded.get(foldedName(name)) ?? name;
    const changed = renamedValue(exact.get(known), value, depth + 1);
    differs ||= known !== name || changed !== value;
    fields.push([known, changed]);
  }
  return differs ? Object.fromEntries(fields) : object;
}

function renamedValue(field: NamedField | undefined, value: unknown, depth: number): unknown {
  if (!field || depth > MAX_DEPTH) return value;
  const { message, shape } = field;
  const renamed = (item: unknown) => isObject(item) ? renameFields(message, item, depth) : item;
  if (shape === "one") return renamed(value);
  if (shape === "list") return Array.isArray(value) ? unchangedOr(value, value.map(renamed)) : value;
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const before = Object.values(value);
  const after = unchangedOr(before, before.map(renamed));
  return after === before ? value : Object.fromEntries(names.map((name, index) => [name, after[index]]));
}

function unchangedOr(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((item, index) => item === before[index]) ? before : after;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field that contains messages whose field names are case-insensitive. */
interface NamedField {
  readonly message: MessageType;
  readonly shape: "one" | "list" | "map";
}

interface FieldNames {
  /** The fields by exact name, with the message below if its names are case-insensitive too. */
  readonly exact: ReadonlyMap<string, NamedField | undefined>;
  readonly folded: ReadonlyMap<string, string>;
}

const KNOWN = new WeakMap<MessageType, FieldNames>();

/** The JSON names of a message's fields, computed once per message. */
function namesOf(message: MessageType): FieldNames {
  let known = KNOWN.get(message);
  if (known === undefined) {
    const exact = new Map(fieldsOf(message));
    const folded = new Map([...exact.keys()].map((name) => [foldedName(name), name]));
    KNOWN.set(message, known = { exact, folded });
  }
  return known;
}

/** Inlined fields are fields of the outer message in JSON. */
function* fieldsOf({ fields }: MessageType): Generator<[string, NamedField | undefined]> {
  for (const { name, type, shape, isInline } of fields) {
    if (type.kind !== "message") yield [name, undefined];
    else if (isInline) yield* fieldsOf(type.message);
    else yield [name, hasNames(type.message) ? { message: type.message, shape } : undefined];
  }
}

/** Reports whether a message is a JSON object that no other parser handles. */
function hasNames({ name, wrappedField }: MessageType): boolean {
  return wrappedField === undefined && !(name.startsWith("argo.") && isKindName(name.slice("argo.".length)));
}

/** Upper case, then lower case: this also folds ſ and the Kelvin sign, as Go does. */
function foldedName(name: string): string {
  return name.toUpperCase().toLowerCase();
}
