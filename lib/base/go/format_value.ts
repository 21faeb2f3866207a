/** The `%v` and `%s` formats of Go's `fmt` package. */
import { formatFloat } from "./format_float.ts";
import { formatTime, TIME_STRING } from "./layout.ts";
import { compareText } from "./text.ts";
import { GoTime } from "./time.ts";
import { GoDuration, GoFunction, GoInt, GoList, GoMap, GoObject, mapEntries, type Value } from "./value.ts";
import { fromBytes } from "./utf8.ts";
import { GoZone } from "./zone.ts";

/** `fmt.Sprintf("%v", value)`. */
export function formatValue(value: Value | undefined): string {
  switch (typeof value) {
    case "string":
      return value;
    case "bigint":
    case "boolean":
      return String(value);
    case "number":
      return formatFloat(value);
    case "undefined":
      return "<nil>";
  }
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(formatValue).join(" ")}]`;
  if (value instanceof GoInt) return value.label ?? String(value.value);
  if (value instanceof GoDuration) return value.toString();
  if (value instanceof GoTime) return formatTime(value, TIME_STRING);
  if (value instanceof GoZone) return value.name;
  if (value instanceof GoList) return `[${value.items.map(formatValue).join(" ")}]`;
  if (value instanceof Uint8Array) return `[${value.join(" ")}]`;
  if (value instanceof GoObject) return value.text;
  // Go prints an address.
  if (value instanceof GoFunction) return "0x0";
  const entries = mapEntries(value as Value) ?? [];
  const sorted = entries.toSorted(([a], [b]) => compareKeys(a, b));
  return `map[${sorted.map(([key, item]) => `${formatValue(key)}:${formatValue(item)}`).join(" ")}]`;
}

const KEY_ORDER = ["nil", "boolean", "bigint", "number", "string"];

/** Compares map keys in the order in which Go prints them: nil, false, true, then numbers, then strings. */
export function compareKeys(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  const [x, y] = [keyRank(a), keyRank(b)];
  if (x !== y) return x - y;
  const [p, q] = [plain(a), plain(b)];
  return p < q ? -1 : p > q ? 1 : 0;
}

function keyRank(key: Value): number {
  return KEY_ORDER.indexOf(key === null ? "nil" : typeof plain(key));
}

function plain(key: Value): string | number | bigint | boolean {
  if (key instanceof GoInt) return key.value;
  if (key instanceof GoDuration) return key.nanoseconds;
  return typeof key === "object" ? formatValue(key) : key;
}

/**
 * `%s` of a value, as in Argo's message about a result that is not a boolean: values other than strings are marked
 * `%!s(int=1)`.
 */
export function formatAsString(value: Value | undefined): string {
  if (value === null || value === undefined) return "%!s(<nil>)";
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return `%!s(int=${value})`;
  if (typeof value === "number") return `%!s(float64=${formatFloat(value)})`;
  if (typeof value === "boolean") return `%!s(bool=${value})`;
  if (value instanceof GoInt && value.label === undefined) return `%!s(${value.type.text}=${value.value})`;
  if (value instanceof Uint8Array) return fromBytes(value);
  const nested = (item: Value) => item === null ? "<nil>" : formatAsString(item);
  if (Array.isArray(value)) return `[${value.map(nested).join(" ")}]`;
  if (value instanceof GoList) return `[${value.items.map(nested).join(" ")}]`;
  const entries = value instanceof GoMap || !(isLibrary(value)) ? mapEntries(value as Value) : undefined;
  if (entries === undefined) return formatValue(value);
  const sorted = entries.toSorted(([a], [b]) => compareKeys(a, b));
  return `map[${sorted.map(([key, item]) => `${nested(key)}:${nested(item)}`).join(" ")}]`;
}

function isLibrary(value: object): boolean {
  return value instanceof GoTime || value instanceof GoDuration || value instanceof GoZone ||
    value instanceof GoObject || value instanceof GoFunction || value instanceof GoInt;
}
