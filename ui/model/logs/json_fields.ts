/** The fields of log lines that are JSON objects, and their values. */
import type { LogStore } from "./log_store.ts";

/** Longer lines are shown as text, because columns would not be readable. */
const MAX_LINE_LENGTH = 10_000;
/** The number of last lines that are scanned for field names. */
const LOOKED_AT = 200;
/** The maximum number of fields that are offered. */
const MAX_ITEMS = 30;

/** Returns the values of a line by field, nested ones as `outer.inner`; undefined if it is not a JSON object. */
export function jsonFields(text: string): ReadonlyMap<string, string> | undefined {
  if (!text.startsWith("{") || text.length > MAX_LINE_LENGTH) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const fields = new Map<string, string>();
  for (const [name, field] of Object.entries(value)) {
    if (!isObject(field)) fields.set(name, textOf(field));
    else for (const [inner, two] of Object.entries(field)) fields.set(`${name}.${inner}`, textOf(two));
  }
  return fields;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A field of the log, with the usual width of its values in characters. */
export interface JsonField {
  readonly name: string;
  readonly letters: number;
}

const NARROWEST = 5;
const WIDEST = 48;

/** Returns the fields of the last lines, most frequent first, with ties in order of appearance. */
export function fieldsOfLog(store: Pick<LogStore, "count" | "text">): readonly JsonField[] {
  const found = new Map<string, { count: number; letters: number }>();
  for (let line = Math.max(0, store.count - LOOKED_AT); line < store.count; line++) {
    for (const [name, value] of jsonFields(store.text(line)) ?? []) {
      const column = found.get(name) ?? { count: 0, letters: Math.max(NARROWEST, name.length) };
      found.set(name, { count: column.count + 1, letters: Math.min(WIDEST, Math.max(column.letters, value.length)) });
    }
  }
  return [...found].sort(([, a], [, b]) => b.count - a.count).slice(0, MAX_ITEMS)
    .map(([name, { letters }]) => ({ name, letters }));
}
