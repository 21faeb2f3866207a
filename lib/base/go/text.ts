/**
 * Go's strings, which are UTF-8 bytes: positions and slices count bytes, lengths count characters, comparison is by
 * byte. A slice within a character keeps its bytes, see `utf8.ts`.
 */
import { fromBytes, toBytes } from "./utf8.ts";

// deno-lint-ignore no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** `len(text)` in Go: the number of bytes. */
export function byteLength(text: string): number {
  return ASCII.test(text) ? text.length : toBytes(text).length;
}

/** `utf8.RuneCountInString`: the number of characters. */
export function runeCount(text: string): number {
  if (ASCII.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** `text[index]` in Go: one byte; NaN out of range. */
export function byteAt(text: string, index: number): number {
  return ASCII.test(text) ? text.charCodeAt(index) : toBytes(text)[index] ?? NaN;
}

/** `text[from:to]` in Go, by bytes. */
export function sliceBytes(text: string, from: number, to: number): string {
  return ASCII.test(text) ? text.slice(from, to) : fromBytes(toBytes(text).subarray(from, to));
}

/** Converts a UTF-16 position in a text to a byte position. */
export function byteIndex(text: string, index: number): number {
  return index < 0 ? index : byteLength(text.slice(0, index));
}

/** Compares two texts by bytes: negative, zero or positive. Differs from UTF-16 order for surrogates. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    if (isSurrogate(x) || isSurrogate(y)) return compareBytes(toBytes(a), toBytes(b));
    return x - y;
  }
  return a.length - b.length;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/** `strings.SplitN` and `SplitAfterN`: at most `count` parts, all of them for a negative count, null for zero. */
export function splitText(text: string, separator: string, count = -1, keepSeparator = false): string[] | null {
  if (count === 0) return null;
  const pieces = separator === "" ? [...text] : text.split(separator);
  if (separator !== "" && keepSeparator) {
    for (let i = 0; i < pieces.length - 1; i++) pieces[i] += separator;
  }
  if (count < 0 || pieces.length <= count) return pieces;
  const glue = keepSeparator ? "" : separator;
  return [...pieces.slice(0, count - 1), pieces.slice(count - 1).join(glue)];
}

/**
 * `strings.Replace`: the first `count` matches, all for a negative count; an empty `old` matches around every
 * character.
 */
export function replaceText(text: string, old: string, replacement: string, count = -1): string {
  if (count === 0 || old === replacement) return text;
  if (count < 0 && old !== "") return text.split(old).join(replacement);
  if (old === "") {
    const characters = [...text];
    const limit = count < 0 ? characters.length + 1 : count;
    let out = "";
    for (let i = 0; i <= characters.length; i++) {
      out += (i < limit ? replacement : "") + (characters[i] ?? "");
    }
    return out;
  }
  const pieces = text.split(old);
  const head = pieces.slice(0, count + 1).join(replacement);
  const tail = pieces.slice(count + 1);
  return tail.length > 0 ? head + old + tail.join(old) : head;
}

const SPACE = "\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SPACES = new RegExp(`[${SPACE}]+`);
const ONE_SPACE = new RegExp(`^[${SPACE}]$`);

/** `unicode.IsSpace`. */
export function isSpace(character: string): boolean {
  return ONE_SPACE.test(character);
}

/** `strings.TrimSpace`. */
export function trimSpace(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charAt(from))) from++;
  while (to > from && isSpace(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** `strings.Trim`: removes the characters of `cutset` from both ends, or from one. */
export function trimCharacters(text: string, cutset: string, ends: "both" | "left" | "right" = "both"): string {
  const cut = new Set(cutset);
  const characters = [...text];
  const stays = (character: string) => !cut.has(character);
  const first = ends === "right" ? 0 : characters.findIndex(stays);
  const last = ends === "left" ? characters.length - 1 : characters.findLastIndex(stays);
  if (first < 0 || last < 0) return "";
  return first === 0 && last === characters.length - 1 ? text : characters.slice(first, last + 1).join("");
}

/** `strings.Fields`: the words between white space. */
export function fields(text: string): string[] {
  return text.split(SPACES).filter((word) => word !== "");
}

/** `strings.ToUpper`: character by character, so `ß` remains; bytes that are not valid UTF-8 become U+FFFD. */
export function toUpper(text: string): string {
  return ASCII.test(text) ? text.toUpperCase() : Array.from(text.toWellFormed(), upperCharacter).join("");
}

/** `strings.ToLower`: character by character, regardless of position. */
export function toLower(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : Array.from(text.toWellFormed(), lowerCharacter).join("");
}

/** Greek vowels with iota subscript, for which the host's upper case has two letters. */
const WITH_IOTA = /^[\u1f80-\u1f87\u1f90-\u1f97\u1fa0-\u1fa7\u1fb3\u1fc3\u1ff3]$/;

/** Returns the upper case of a character if that is a single character. */
export function upperCharacter(character: string): string {
  if (WITH_IOTA.test(character)) {
    const code = character.charCodeAt(0);
    return String.fromCharCode(code + (code < 0x1fb0 ? 8 : 9));
  }
  const upper = character.toUpperCase();
  return [...upper].length === 1 ? upper : character;
}

/** Returns the lower case of a character, which is always a single character. */
export function lowerCharacter(character: string): string {
  return character === "İ" ? "i" : character.toLowerCase();
}
