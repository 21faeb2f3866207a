/** The backslash escapes of string and bytes literals. */

/** A parsed escape, or the reason why it is invalid. */
export type Escape =
  | { readonly ok: true; readonly value: string; readonly length: number }
  | { readonly ok: false; readonly reason: string; readonly at: number };

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};
const DIGIT_COUNTS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Parses the escape whose backslash is at `at` in a literal that ends with `quote`. */
export function parseEscape(source: string, offset: number, quote: string, kind: "String" | "Bytes"): Escape {
  const letter = source[offset + 1] ?? "";
  if (letter === quote) return { ok: true, value: letter, length: 2 };
  const simple = SIMPLE_ESCAPES[letter];
  if (simple !== undefined) return { ok: true, value: simple, length: 2 };
  const octal = /^[0-7]{3}/.exec(source.slice(offset + 1, offset + 4));
  if (octal !== null) return decodeCode(parseInt(octal[0], 8), 4, offset, kind);
  if (letter === "u" && source[offset + 2] === "{") {
    const braced = /^\{[0-9a-fA-F]{1,6}\}/.exec(source.slice(offset + 2, offset + 10))?.[0];
    if (braced === undefined || kind === "Bytes") return invalidEscape(offset);
    return decodeCode(parseInt(braced.slice(1, -1), 16), 2 + braced.length, offset, kind);
  }
  const digits = DIGIT_COUNTS[letter];
  if (digits === undefined || (kind === "Bytes" && letter !== "x")) return invalidEscape(offset);
  const hex = source.slice(offset + 2, offset + 2 + digits);
  if (hex.length < digits || !/^[0-9a-fA-F]+$/.test(hex)) return invalidEscape(offset + hex.length);
  return decodeCode(parseInt(hex, 16), 2 + digits, offset, kind);
}

function decodeCode(value: number, length: number, offset: number, kind: "String" | "Bytes"): Escape {
  const max = kind === "Bytes" || length === 4 && value > 0o377 ? 0xff : 0x10ffff;
  if (value > max) return { ok: false, reason: "unable to unescape string", at: offset };
  if (kind === "Bytes") return { ok: true, value: String.fromCharCode(value), length };
  // A lone surrogate is not a character: Go writes U+FFFD for it.
  const half = value >= 0xd800 && value <= 0xdfff;
  return { ok: true, value: half ? "\ufffd" : String.fromCodePoint(value), length };
}

function invalidEscape(offset: number): Escape {
  return { ok: false, reason: "invalid char escape", at: offset + 1 };
}
