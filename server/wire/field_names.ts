/** Names of fields in bodies of requests: Argo's server takes a field whatever the case of its letters. */
import { isKindName } from "@tiphys/model/api";
import type { MessageType } from "@tiphys/proto";
import type { JsonObject } from "./body.ts";

/** Messages nest no deeper in any request that means something. */
const DEEPEST = 100;

/**
 * The body with each field that differs from one of its message only in the case of letters under that field's name. Of several
 * spellings of one field the last counts, as it does in Go. Keys of maps stay as they are, and so do the objects of kinds, whose
 * readers know the spellings of their fields themselves.
 */
export function withFieldNames(body: JsonObject, message: MessageType): JsonObject {
  return renamed(message, body, 0);
}

/** The very object where nothing of it is renamed. */
function renamed(message: MessageType, object: JsonObject, depth: number): JsonObject {
  const { exact, folded } = namesOf(message);
  const fields: [string, unknown][] = [];
  let differs = false;
  for (const [name, value] of Object.entries(object)) {
    const meant = exact.has(name) ? name : folded.get(foldedName(name)) ?? name;
    const changed = changedValue(exact.get(meant), value, depth + 1);
    differs ||= meant !== name || changed !== value;
    fields.push([meant, changed]);
  }
  return differs ? Object.fromEntries(fields) : object;
}

function changedValue(field: NamedField | undefined, value: unknown, depth: number): unknown {
  if (!field || depth > DEEPEST) return value;
  const { message, shape } = field;
  const one = (item: unknown) => isObject(item) ? renamed(message, item, depth) : item;
  if (shape === "one") return one(value);
  if (shape === "list") return Array.isArray(value) ? sameOr(value, value.map(one)) : value;
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const before = Object.values(value);
  const after = sameOr(before, before.map(one));
  return after === before ? value : Object.fromEntries(names.map((name, at) => [name, after[at]]));
}

function sameOr(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((item, at) => item === before[at]) ? before : after;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field that holds messages whose names of fields count. */
interface NamedField {
  readonly message: MessageType;
  readonly shape: "one" | "list" | "map";
}

interface Names {
  /** The names as they are spelled, with what lies below where names count there. */
  readonly exact: ReadonlyMap<string, NamedField | undefined>;
  readonly folded: ReadonlyMap<string, string>;
}

const KNOWN = new WeakMap<MessageType, Names>();

/** The names of a message's fields in JSON; each message is asked for them once. */
function namesOf(message: MessageType): Names {
  let known = KNOWN.get(message);
  if (known === undefined) {
    const exact = new Map(fieldsOf(message));
    const folded = new Map([...exact.keys()].map((name) => [foldedName(name), name]));
    KNOWN.set(message, known = { exact, folded });
  }
  return known;
}

/** Fields that stand among those of their message are its fields in JSON. */
function* fieldsOf({ fields }: MessageType): Generator<[string, NamedField | undefined]> {
  for (const { name, type, shape, isInline } of fields) {
    if (type.kind !== "message") yield [name, undefined];
    else if (isInline) yield* fieldsOf(type.message);
    else yield [name, hasNames(type.message) ? { message: type.message, shape } : undefined];
  }
}

/** Whether a message is an object in JSON, and none that its own reader folds. */
function hasNames({ name, standsFor }: MessageType): boolean {
  return standsFor === undefined && !(name.startsWith("argo.") && isKindName(name.slice("argo.".length)));
}

/** Up, then down: ſ and the sign of Kelvin are letters of names to Go, too. */
function foldedName(name: string): string {
  return name.toUpperCase().toLowerCase();
}
