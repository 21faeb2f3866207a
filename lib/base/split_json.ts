/** JSON of a large value in parts of about 64 KiB, so that a shared thread can parse it in stages. */
import type { Stages } from "./turns.ts";

/** A value as JSON: in one text; or as a large list or object of parts, in their order. */
export type SplitJson = { readonly text: string } | { readonly isList: boolean; readonly parts: readonly Part[] };

/** Neighboring items or fields as the JSON of a list or an object; or one large item, or the value of one field. */
type Part = string | { readonly key: string; readonly value: SplitJson };

/** The weight of a part: characters of texts and names, and a few for each value. */
const PART_WEIGHT = 64 * 1024;
const VALUE_WEIGHT = 8;

/** A list or object whose entries are being read. Those from `first` on are not in a part yet. */
interface OpenValue {
  readonly value: object;
  /** The names of the fields; undefined for a list. */
  readonly names: readonly string[] | undefined;
  /** The name or index in the value that contains it. */
  readonly key: string;
  readonly parts: Part[];
  first: number;
  next: number;
  /** The total weight of the entries that have not been added to a part yet. */
  weight: number;
}

function opened(value: object, key: string): OpenValue {
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  return { value, names, key, parts: [], first: 0, next: 0, weight: VALUE_WEIGHT };
}

/** Serializes a value of JSON in stages, one for each part. */
export function* splitJson(value: unknown): Stages<SplitJson> {
  if (typeof value !== "object" || value === null) return { text: JSON.stringify(value) };
  const stack = [opened(value, "")];
  for (;;) {
    const top = stack.at(-1)!;
    if (top.weight >= PART_WEIGHT) {
      addPart(top);
      yield;
    }
    if (top.next < (top.names ?? top.value as readonly unknown[]).length) {
      const key = top.names?.[top.next] ?? String(top.next);
      const entry = (top.value as Readonly<Record<string, unknown>>)[key];
      if (typeof entry === "object" && entry !== null) stack.push(opened(entry, key));
      else addEntry(top, VALUE_WEIGHT + (typeof entry === "string" ? entry.length : 0));
      continue;
    }
    stack.pop();
    const outer = stack.at(-1);
    if (top.parts.length === 0) {
      if (!outer) return { text: JSON.stringify(value) };
      addEntry(outer, top.weight);
      continue;
    }
    addPart(top);
    const split = { isList: top.names === undefined, parts: top.parts };
    if (!outer) return split;
    addPart(outer);
    outer.parts.push({ key: top.key, value: split });
    outer.first = ++outer.next;
  }
}

/** Counts the next entry of a value, which is small enough for a part. */
function addEntry(open: OpenValue, weight: number): void {
  open.weight += weight + (open.names?.[open.next]?.length ?? 0);
  open.next++;
}

/** Serializes the entries that are not in a part yet. */
function addPart(open: OpenValue): void {
  const { value, names, first, next, parts } = open;
  open.first = next;
  open.weight = VALUE_WEIGHT;
  if (first === next) return;
  const fields = value as Readonly<Record<string, unknown>>;
  const entries = names
    ? Object.fromEntries(names.slice(first, next).map((name) => [name, fields[name]]))
    : (value as readonly unknown[]).slice(first, next);
  parts.push(JSON.stringify(entries));
}

/** Parses JSON in stages, one for each part. */
export function* joinJson(split: SplitJson): Stages<unknown> {
  if ("text" in split) return JSON.parse(split.text) as unknown;
  const items: unknown[] = [];
  const fields = {};
  for (const part of split.parts) {
    if (typeof part !== "string") {
      const value = yield* joinJson(part.value);
      if (split.isList) items.push(value);
      else setField(fields, part.key, value);
      continue;
    }
    const entries: unknown = JSON.parse(part);
    if (Array.isArray(entries)) { for (const item of entries) items.push(item); }
    else for (const [name, value] of Object.entries(entries as object)) setField(fields, name, value);
    yield;
  }
  return split.isList ? items : fields;
}

/** Sets a field with any name, also `__proto__`. */
function setField(object: object, name: string, value: unknown): void {
  if (name !== "__proto__") (object as Record<string, unknown>)[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
