/** sprig's defaults, choices, reflection and JSON. */
import {
  ANY,
  BOOL,
  GoDuration,
  GoFunction,
  GoInt,
  GoMap,
  GoObject,
  GoTime,
  GoZone,
  isPlainMap,
  JsonError,
  listItems,
  marshalJson,
  type MarshalOptions,
  STRING,
  typeName,
  typeOf,
  unmarshalJson,
  type Value,
} from "@tiphys/base/go";
import { asRunFailure, fail } from "../failure.ts";
import { deepEqual } from "../operators.ts";
import { define, type Functions } from "./define.ts";

/** Whether a value is empty: nil, false, 0, an empty text, list or map. Times are never empty. */
export function isEmpty(value: Value): boolean {
  if (value === null) return true;
  if (typeof value === "boolean") return !value;
  if (typeof value === "bigint") return value === 0n;
  if (typeof value === "number") return value === 0;
  if (typeof value === "string") return value === "";
  if (value instanceof GoInt) return value.value === 0n;
  if (value instanceof GoDuration) return value.nanoseconds === 0n;
  if (value instanceof GoTime || value instanceof GoZone || value instanceof GoObject || value instanceof GoFunction) {
    return false;
  }
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof GoMap) return value.size === 0;
  if (isPlainMap(value)) { for (const _ in value) return false; }
  return (listItems(value) ?? []).length === 0;
}

function lenientJson(options?: MarshalOptions) {
  return (value: Value): string => {
    try {
      return marshalJson(value, options);
    } catch (error) {
      if (error instanceof JsonError) return "";
      throw error;
    }
  };
}

function strictJson(options?: MarshalOptions) {
  return (value: Value): string => asRunFailure(() => marshalJson(value, options));
}

function parseJsonLeniently(text: string): Value {
  try {
    return unmarshalJson(text);
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

const kindOf = (value: Value) => (value === null ? "invalid" : typeOf(value).kind);
const PRETTY: MarshalOptions = { indent: "  " };
const RAW: MarshalOptions = { escapeHtml: false };

export const LOGIC: Functions = {
  default: define(
    "any ...any",
    ANY,
    (fallback: Value, value: Value = null) => isEmpty(value) ? fallback : value,
  ),
  empty: define("any", BOOL, isEmpty),
  coalesce: define("...any", ANY, (...values: Value[]) => values.find((value) => !isEmpty(value)) ?? null),
  all: define("...any", BOOL, (...values: Value[]) => !values.some(isEmpty)),
  any: define("...any", BOOL, (...values: Value[]) => values.some((value) => !isEmpty(value))),
  ternary: define("any any bool", ANY, (yes: Value, no: Value, test: boolean) => test ? yes : no, {
    types: { bool: BOOL },
  }),
  fail: define("string", STRING, (message: string) => fail(message), { fails: true }),
  typeOf: define("any", STRING, typeName),
  typeIs: define("string any", BOOL, (name: string, value: Value) => name === typeName(value)),
  typeIsLike: define("string any", BOOL, (name: string, value: Value) => [name, `*${name}`].includes(typeName(value))),
  kindOf: define("any", STRING, kindOf),
  kindIs: define("string any", BOOL, (kind: string, value: Value) => kind === kindOf(value)),
  deepEqual: define("any any", BOOL, deepEqual),
  fromJson: define("string", ANY, parseJsonLeniently),
  mustFromJson: define("string", ANY, (text: string) => asRunFailure(() => unmarshalJson(text)), { fails: true }),
  toJson: define("any", STRING, lenientJson()),
  mustToJson: define("any", STRING, strictJson(), { fails: true }),
  toPrettyJson: define("any", STRING, lenientJson(PRETTY)),
  mustToPrettyJson: define("any", STRING, strictJson(PRETTY), { fails: true }),
  toRawJson: define("any", STRING, strictJson(RAW)),
  mustToRawJson: define("any", STRING, strictJson(RAW), { fails: true }),
};
