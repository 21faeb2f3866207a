/** `strconv.Quote`: a text between double quotes, with Go's escapes. */
import { toBytes } from "./utf8.ts";

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  '"': '\\"',
  "\\": "\\\\",
};
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const PLAIN = /^[ !#-[\]-~]*$/;

/** Whether Go counts the character as printable: letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrintable(character: string): boolean {
  return PRINTABLE.test(character);
}

/** Escapes one character between `quote` marks. */
export function escapeCharacter(character: string, quote: string): string {
  if (character === quote) return "\\" + character;
  if (character === '"' || character === "'") return character;
  const named = NAMED_ESCAPES[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0)!;
  if (code >= 0xd800 && code <= 0xdfff) return code < 0xdc80 || code > 0xdcff ? "\ufffd" : escapeByte(code - 0xdc00);
  if (isPrintable(character)) return character;
  if (code < 0x20 || code === 0x7f) return escapeByte(code);
  if (code < 0x10000) return "\\u" + code.toString(16).padStart(4, "0");
  return "\\U" + code.toString(16).padStart(8, "0");
}

function escapeByte(byte: number): string {
  return "\\x" + byte.toString(16).padStart(2, "0");
}

/**
 * Returns a text as a Go string literal. Equals JSON for printable text, but not for control characters (`\a`, `\x1b`).
 */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let out = '"';
  for (const character of text) out += escapeCharacter(character, '"');
  return out + '"';
}

/** `strconv.QuoteToASCII`: everything beyond ASCII as `\u` escapes. */
export function quoteAscii(text: string): string {
  return escapeAscii(quote(text));
}

/** Escapes all characters beyond ASCII. */
export function escapeAscii(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[^\x00-\x7f]/gu, (character) => {
    const code = character.codePointAt(0)!;
    const digits = code.toString(16);
    return code < 0x10000 ? "\\u" + digits.padStart(4, "0") : "\\U" + digits.padStart(8, "0");
  });
}

/** Quotes a text as the errors of Go's time package do: all bytes other than printable ASCII are escaped. */
export function quoteBytes(text: string): string {
  let out = "";
  for (const byte of toBytes(text)) {
    const character = String.fromCharCode(byte);
    if (byte >= 0x80 || byte < 0x20) out += escapeByte(byte);
    else out += character === '"' || character === "\\" ? "\\" + character : character;
  }
  return `"${out}"`;
}
