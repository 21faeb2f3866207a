/** Parses the query of a request by the fields that its route declares. Names may be in camelCase or snake_case. */
import { badRequest } from "./errors.ts";

/** The type of a field. A `strings` field may be repeated. */
export type FieldType = "string" | "int" | "bool" | "strings";

/** The fields of a route by name in camelCase, such as `listOptions.labelSelector`. */
export type QueryFields = Readonly<Record<string, FieldType>>;

type ValueOf<T extends FieldType> = T extends "string" ? string
  : T extends "int" ? number
  : T extends "bool" ? boolean
  : readonly string[];

/** The values in a query, by the types of their fields. */
export type QueryValues<F extends QueryFields = QueryFields> = { readonly [N in keyof F]?: ValueOf<F[N]> };

/**
 * Parses the declared fields and ignores others. The first value of a repeated field wins.
 * @throws {WireError} that names the field if a number or boolean is invalid.
 */
export function readQuery<F extends QueryFields>(params: URLSearchParams, fields: F): QueryValues<F> {
  const values: Record<string, string | number | boolean | readonly string[]> = {};
  const given = new Map<string, string[]>();
  for (const [name, value] of params) {
    const field = lowerCamel(name);
    if (!Object.hasOwn(fields, field)) continue;
    const earlier = given.get(field);
    if (earlier) earlier.push(value);
    else given.set(field, [value]);
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

/** Parses an integer, which may be in Go's format of large floats (`1e+06`). An empty text is 0. */
function readInt(field: string, text: string): number {
  if (text === "") return 0;
  const value = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  // Larger 64-bit integers are clamped.
  if (/^[+-]?\d{16,30}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) {
    return Math.max(Number.MIN_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
  }
  if (!Number.isSafeInteger(value)) throw badRequest(`${field}: expected an integer, got ${JSON.stringify(text)}`);
  return value;
}

const TRUE = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const FALSE = new Set(["", "0", "f", "F", "false", "FALSE", "False"]);

/** Parses a boolean in Go's spellings. An empty text is false. @throws {WireError} if it is invalid. */
export function readBool(field: string, text: string): boolean {
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw badRequest(`${field}: expected true or false, got ${JSON.stringify(text)}`);
}

/** Converts `list_options.label_selector` to `listOptions.labelSelector`. */
function lowerCamel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
