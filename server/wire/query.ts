/** The query of a request: dotted names in either spelling, read as the fields that a route declares. */
import { badRequest } from "./errors.ts";

/** The type of a field. A `strings` field may be given several times. */
export type FieldType = "string" | "int" | "bool" | "strings";

/** The fields that a route reads, by their dotted name in lowerCamel: `listOptions.labelSelector`. */
export type QueryFields = Readonly<Record<string, FieldType>>;

type ValueOf<T extends FieldType> = T extends "string" ? string
  : T extends "int" ? number
  : T extends "bool" ? boolean
  : readonly string[];

/** The values that were given, each as its field says. */
export type QueryValues<F extends QueryFields = QueryFields> = { readonly [N in keyof F]?: ValueOf<F[N]> };

/**
 * Reads the declared fields; others are ignored, and of a field that was given again the first value counts.
 * @throws {WireError} for a number or a switch that is none, with its name.
 */
export function readQuery<F extends QueryFields>(params: URLSearchParams, fields: F): QueryValues<F> {
  const values: Record<string, string | number | boolean | readonly string[]> = {};
  const given = new Map<string, string[]>();
  for (const [name, value] of params) {
    const field = lowerCamel(name);
    if (!Object.hasOwn(fields, field)) continue;
    given.set(field, [...given.get(field) ?? [], value]);
  }
  for (const [field, texts] of given) values[field] = valueOf(field, fields[field]!, texts);
  return values as QueryValues<F>;
}

function valueOf(field: string, type: FieldType, texts: readonly string[]) {
  const [text = ""] = texts;
  switch (type) {
    case "string":
      return text;
    case "strings":
      return texts;
    case "int":
      return readInt(field, text);
    case "bool":
      return readBool(field, text);
  }
}

/** Whole numbers, also as Go prints large floats (`1e+06`). An empty text is 0. */
function readInt(field: string, text: string): number {
  if (text === "") return 0;
  const value = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  // Numbers of 64 bits stand for as many as there are.
  if (/^[+-]?\d{16,30}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) {
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
  }
  if (!Number.isSafeInteger(value)) throw badRequest(`${field}: expected a whole number, got ${JSON.stringify(text)}`);
  return value;
}

const TRUE = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const FALSE = new Set(["", "0", "f", "F", "false", "FALSE", "False"]);

/** @throws {WireError} for what is neither true nor false, as Go spells them; an empty text is false. */
export function readBool(field: string, text: string): boolean {
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw badRequest(`${field}: expected true or false, got ${JSON.stringify(text)}`);
}

/** `list_options.label_selector` is `listOptions.labelSelector`. */
function lowerCamel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
