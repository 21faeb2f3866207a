/** Values of Parquet files as text: times with full precision, and the beginning of long values. */
import type { ParquetParsers } from "hyparquet";

const MAX_CELL_LENGTH = 2_000;
const MAX_BYTES = 32;
/** The longest number of a decimal, in bytes: 76 digits take 32. */
const MAX_DECIMAL_LENGTH = 32;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Parsers for the library that return texts, as cells of a table show them. */
export const PARSERS: ParquetParsers = {
  timestampFromMilliseconds: (value) => timeText(BigInt(value), 3),
  timestampFromMicroseconds: (value) => timeText(value, 6),
  timestampFromNanoseconds: (value) => timeText(value, 9),
  dateFromDays: (days) => timeText(BigInt(days ?? 0) * 86_400n, 0).slice(0, -"T00:00:00Z".length),
  stringFromBytes: textOf,
  jsonFromBytes: textOf,
  geometryFromBytes: (bytes) => bytes,
  geographyFromBytes: (bytes) => bytes,
  uuidFromBytes: (bytes) => bytes && bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
};

/** Decodes text; returns other bytes unchanged, because many files do not declare which they contain. */
function textOf(bytes: Uint8Array | undefined): string | Uint8Array | undefined {
  try {
    return bytes && decoder.decode(bytes);
  } catch {
    return bytes;
  }
}

/** Formats a time that is counted in fractions of a second with `digits` digits. */
function timeText(value: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const rest = ((value % perSecond) + perSecond) % perSecond;
  const seconds = Number((value - rest) / perSecond);
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(value);
  const fraction = rest === 0n ? "" : `.${String(rest).padStart(digits, "0")}`;
  return date.toISOString().replace(".000Z", `${fraction}Z`);
}

/** Formats a decimal with all digits: from bytes in big-endian order, or from a number. */
export function decimalText(value: unknown, scale: number): unknown {
  const whole = value instanceof Uint8Array ? integerOf(value) : value;
  if (typeof whole !== "bigint" && typeof whole !== "number") return value;
  if (!(scale > 0 && scale <= 100)) return String(whole);
  const [, sign = "", digits = ""] = /^(-?)(\d+)$/.exec(String(whole)) ?? [];
  const padded = digits.padStart(scale + 1, "0");
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

function integerOf(bytes: Uint8Array): bigint | undefined {
  if (bytes.length > MAX_DECIMAL_LENGTH) return undefined;
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toHex()}`));
}

/** Formats a value as a cell. */
export function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? objectText(value) : String(value);
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)}…` : text;
}

function objectText(value: object): string {
  return value instanceof Uint8Array ? bytesText(value) : jsonText(value, MAX_CELL_LENGTH + 1);
}

/** Returns about the first `max` characters of a value's JSON: a list may contain one long text a million times. */
function jsonText(value: unknown, max: number): string {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? String(value) : `"${value}"`;
  if (typeof value === "string") return JSON.stringify(value.slice(0, max));
  if (value instanceof Uint8Array) return `"${bytesText(value)}"`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const isList = Array.isArray(value);
  const fields = value as Readonly<Record<string, unknown>>;
  const names = isList ? value.keys() : Object.keys(fields).filter((name) => fields[name] !== undefined);
  let text = "";
  for (const name of names) {
    if (text.length >= max) return `${isList ? "[" : "{"}${text}`;
    if (text !== "") text += ",";
    if (!isList) text += `${jsonText(name, max)}:`;
    text += jsonText(fields[name], Math.max(0, max - text.length));
  }
  return isList ? `[${text}]` : `{${text}}`;
}

function bytesText(bytes: Uint8Array): string {
  return `0x${bytes.subarray(0, MAX_BYTES).toHex()}${bytes.length > MAX_BYTES ? "…" : ""}`;
}
