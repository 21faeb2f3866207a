/** sprig's functions on text. */
import {
  BOOL,
  byteLength,
  decodeBase32,
  decodeBase64,
  DecodeError,
  encodeBase32,
  encodeBase64,
  formatValue,
  fromBytes,
  GoList,
  GoMap,
  isSpace,
  listItems,
  quote,
  replaceText,
  sliceBytes,
  splitText,
  sprintf,
  STRING,
  STRING_MAP,
  STRING_SLICE,
  toBytes,
  toLower,
  toUpper,
  trimCharacters,
  trimSpace,
  type Value,
} from "@tiphys/base/go";
import { currentBudget } from "../budget.ts";
import { fail } from "../failure.ts";
import { camelCase, kebabCase, snakeCase, swapCase, titleCase, uncapitalize } from "./letters.ts";
import { define, type Functions } from "./define.ts";
import { wrapText } from "./wrap.ts";

/** Like sprig's `toString`: bytes as text, everything else as `%v`. */
export function textOf(value: Value): string {
  return value instanceof Uint8Array ? fromBytes(value) : formatValue(value);
}

/** Returns a list's elements as texts, without nil. A single value is a list of one. */
export function textsOf(value: Value): string[] {
  if (value === null) return [];
  const items = listItems(value);
  if (items === undefined) return [textOf(value)];
  return items.filter((item) => item !== null).map(textOf);
}

export function stringList(items: readonly string[] | null): GoList {
  return new GoList(STRING_SLICE, items ?? [], items === null);
}

function toCount(value: bigint): number {
  return Number(value);
}

/** Slices like Go's `text[from:to]`, which fails if the bounds are invalid. */
function cutBytes(text: string, from: number, to: number): string {
  const length = byteLength(text);
  if (to < 0 || to > length) fail(`runtime error: slice bounds out of range [:${to}] with length ${length}`);
  if (from < 0 || from > to) fail(`runtime error: slice bounds out of range [${from}:${to}]`);
  return sliceBytes(text, from, to);
}

function abbreviate(text: string, from: number, width: number): string {
  const length = byteLength(text);
  if (text === "" || width < 4) return "";
  if (length <= width) return text;
  let offset = Math.min(from, length);
  if (length - offset < width - 3) offset = length - (width - 3);
  if (offset <= 4) return cutBytes(text, 0, width - 3) + "...";
  if (width < 7) return "";
  if (offset + width - 3 < length) return "..." + abbreviate(cutBytes(text, offset, length), 0, width - 3);
  return "..." + cutBytes(text, length - (width - 3), length);
}

function truncate(size: bigint, text: string): string {
  const length = byteLength(text);
  const offset = toCount(size);
  if (offset < 0) return length + offset > 0 ? sliceBytes(text, length + offset, length) : text;
  return length > offset ? sliceBytes(text, 0, offset) : text;
}

function substring(start: bigint, end: bigint, text: string): string {
  const length = byteLength(text);
  if (start < 0n) return cutBytes(text, 0, toCount(end));
  return cutBytes(text, toCount(start), end < 0n || toCount(end) > length ? length : toCount(end));
}

function repeat(times: bigint, text: string): string {
  if (times < 0n) fail("strings: negative Repeat count");
  currentBudget().chargeCharacters(Number(times) * text.length);
  return text.repeat(toCount(times));
}

function linesOf(text: string): number {
  let lines = 0;
  for (let index = text.indexOf("\n"); index >= 0; index = text.indexOf("\n", index + 1)) lines++;
  return lines;
}

function indent(spaces: bigint, text: string): string {
  const pad = repeat(spaces, " ");
  currentBudget().chargeCharacters(pad.length * (linesOf(text) + 1) + text.length);
  return pad + text.replaceAll("\n", "\n" + pad);
}

function numberParts(parts: readonly string[] | null): GoMap {
  return new GoMap(STRING_MAP, (parts ?? []).map((part, i) => [`_${i}`, part]));
}

function decodeOrError(decode: (text: string) => Uint8Array): (text: string) => string {
  return (text) => {
    try {
      return fromBytes(decode(text));
    } catch (error) {
      if (error instanceof DecodeError) return error.message;
      throw error;
    }
  };
}

/**
 * Implements `cat`: the values, separated by blanks. The blanks are part of a format, so percent signs in values are
 * kept.
 */
function cat(...values: Value[]): string {
  const present = values.filter((value) => value !== null);
  return sprintf(present.map(() => "%v").join(" "), ...present);
}

/** Returns bytes as characters, as Argo's library does when it searches for blanks. */
function byteCharacters(text: string): string[] {
  return [...toBytes(text)].map((byte) => String.fromCharCode(byte));
}

function initials(text: string): string {
  let gap = true;
  let out = "";
  for (const character of byteCharacters(text)) {
    const space = isSpace(character);
    if (!space && gap) out += character;
    gap = space;
  }
  return out;
}

function withoutSpace(text: string): string {
  const characters = byteCharacters(text);
  return characters.some(isSpace) ? characters.filter((character) => !isSpace(character)).join("") : text;
}

const TRIM_ALL = define("string string", STRING, (cutset: string, text: string) => trimCharacters(text, cutset));

export const TEXT: Functions = {
  hello: define("", STRING, () => "Hello!"),
  abbrev: define(
    "int string",
    STRING,
    (width: bigint, text: string) => width < 4n ? text : abbreviate(text, 0, toCount(width)),
  ),
  abbrevboth: define("int int string", STRING, (left: bigint, right: bigint, text: string) => {
    if (right < 4n || (left > 0n && right < 7n)) return text;
    return abbreviate(text, toCount(left), toCount(right));
  }),
  trunc: define("int string", STRING, truncate),
  trim: define("string", STRING, trimSpace),
  upper: define("string", STRING, toUpper),
  lower: define("string", STRING, toLower),
  title: define("string", STRING, titleCase),
  untitle: define("string", STRING, uncapitalize),
  substr: define("int int string", STRING, substring),
  repeat: define("int string", STRING, repeat),
  trimall: TRIM_ALL,
  trimAll: TRIM_ALL,
  trimSuffix: define(
    "string string",
    STRING,
    (end: string, text: string) => end !== "" && text.endsWith(end) ? text.slice(0, -end.length) : text,
  ),
  trimPrefix: define(
    "string string",
    STRING,
    (start: string, text: string) => text.startsWith(start) ? text.slice(start.length) : text,
  ),
  nospace: define("string", STRING, withoutSpace),
  initials: define("string", STRING, initials),
  swapcase: define("string", STRING, swapCase),
  snakecase: define("string", STRING, snakeCase),
  camelcase: define("string", STRING, camelCase),
  kebabcase: define("string", STRING, kebabCase),
  wrap: define("int string", STRING, (width: bigint, text: string) => wrapText(text, toCount(width), "\n", false)),
  wrapWith: define(
    "int string string",
    STRING,
    (width: bigint, separator: string, text: string) => {
      currentBudget().chargeCharacters(text.length * (1 + separator.length / Math.max(1, toCount(width))));
      return wrapText(text, toCount(width), separator || "\n", true);
    },
  ),
  contains: define("string string", BOOL, (part: string, text: string) => text.includes(part)),
  hasPrefix: define("string string", BOOL, (start: string, text: string) => text.startsWith(start)),
  hasSuffix: define("string string", BOOL, (end: string, text: string) => text.endsWith(end)),
  quote: define(
    "...any",
    STRING,
    (...values: Value[]) => values.filter((value) => value !== null).map((value) => quote(textOf(value))).join(" "),
  ),
  squote: define(
    "...any",
    STRING,
    (...values: Value[]) =>
      values.filter((value) => value !== null).map((value) => `'${formatValue(value)}'`).join(" "),
  ),
  cat: define("...any", STRING, cat),
  indent: define("int string", STRING, indent),
  nindent: define("int string", STRING, (spaces: bigint, text: string) => "\n" + indent(spaces, text)),
  replace: define("string string string", STRING, (old: string, replacement: string, text: string) => {
    const max = old === "" ? text.length + 1 : Math.floor(text.length / old.length);
    currentBudget().chargeCharacters(text.length + max * replacement.length);
    return replaceText(text, old, replacement);
  }),
  plural: define(
    "string string int",
    STRING,
    (singular: string, many: string, number: bigint) => number === 1n ? singular : many,
  ),
  toString: define("any", STRING, textOf),
  toStrings: define("any", STRING_SLICE, (value: Value) => stringList(textsOf(value))),
  join: define("string any", STRING, (glue: string, value: Value) => {
    const texts = textsOf(value);
    currentBudget().chargeCharacters(texts.reduce((sum, text) => sum + text.length + glue.length, 0));
    return texts.join(glue);
  }),
  split: define(
    "string string",
    STRING_MAP,
    (separator: string, text: string) => numberParts(splitText(text, separator)),
  ),
  splitn: define(
    "string int string",
    STRING_MAP,
    (separator: string, max: bigint, text: string) => numberParts(splitText(text, separator, toCount(max))),
  ),
  splitList: define(
    "string string",
    STRING_SLICE,
    (separator: string, text: string) => stringList(splitText(text, separator)),
  ),
  b64enc: define("string", STRING, (text: string) => encodeBase64(toBytes(text))),
  b64dec: define("string", STRING, decodeOrError(decodeBase64)),
  b32enc: define("string", STRING, (text: string) => encodeBase32(toBytes(text))),
  b32dec: define("string", STRING, decodeOrError(decodeBase32)),
};
