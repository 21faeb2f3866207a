/** The fields of log lines that are JSON objects: which there are, and what a line has in each. */
import type { LogStore } from "./log_store.ts";

/** A longer line is shown as text: nobody reads columns of it. */
const LONGEST = 10_000;
/** The lines that are looked at, the last ones, for the names of fields. */
const LOOKED_AT = 200;
/** The most fields that are offered. */
const MOST = 30;

/** The values of a line by field, those of an object in it by `outer.inner`; undefined where it is no JSON object. */
export function jsonFields(text: string): ReadonlyMap<string, string> | undefined {
  if (!text.startsWith("{") || text.length > LONGEST) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const fields = new Map<string, string>();
  for (const [name, one] of Object.entries(value)) {
    if (!isObject(one)) fields.set(name, textOf(one));
    else for (const [inner, two] of Object.entries(one)) fields.set(`${name}.${inner}`, textOf(two));
  }
  return fields;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A field that lines have, with the letters that its values usually take. */
export interface JsonField {
  readonly name: string;
  readonly letters: number;
}

const NARROWEST = 5;
const WIDEST = 48;

/** The fields of the last lines, the most frequent first; as they come in a line among equals. */
export function fieldsOfLog(store: Pick<LogStore, "count" | "text">): readonly JsonField[] {
  const found = new Map<string, { count: number; letters: number }>();
  for (let line = Math.max(0, store.count - LOOKED_AT); line < store.count; line++) {
    for (const [name, value] of jsonFields(store.text(line)) ?? []) {
      const one = found.get(name) ?? { count: 0, letters: Math.max(NARROWEST, name.length) };
      found.set(name, { count: one.count + 1, letters: Math.min(WIDEST, Math.max(one.letters, value.length)) });
    }
  }
  return [...found].sort(([, a], [, b]) => b.count - a.count).slice(0, MOST)
    .map(([name, { letters }]) => ({ name, letters }));
}
