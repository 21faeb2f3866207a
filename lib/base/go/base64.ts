/** Base64 and base32 with Go's strictness and messages. */
import { UserError } from "../user_error.ts";

/** The error of a text with an invalid encoding, with Go's message. */
export class DecodeError extends UserError {
  override name = "DecodeError";
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** `base64.StdEncoding.DecodeString`: padding required, line breaks skipped. */
export function decodeBase64(text: string): Uint8Array {
  return decode(text, { alphabet: BASE64, bits: 6, group: 4, name: "base64", paddingFault: base64PaddingFault });
}

/** `base32.StdEncoding.DecodeString`: line breaks are skipped. */
export function decodeBase32(text: string): Uint8Array {
  const joined = text.replace(/[\r\n]/g, "");
  return decode(joined, { alphabet: BASE32, bits: 5, group: 8, name: "base32", paddingFault: base32PaddingFault });
}

/** `base32.StdEncoding.EncodeToString`. */
export function encodeBase32(bytes: Uint8Array): string {
  let out = "";
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += BASE32[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  if (bits > 0) out += BASE32[(held << (5 - bits)) & 31];
  return out.padEnd(Math.ceil(out.length / 8) * 8, "=");
}

interface Encoding {
  readonly alphabet: string;
  readonly bits: number;
  readonly group: number;
  readonly name: string;
  /**
   * Returns the position of a fault in padding that begins at `at`, after `inGroup` characters of a group; undefined
   * for valid padding.
   */
  readonly paddingFault: (text: string, offset: number, inGroup: number) => number | undefined;
}

function decode(text: string, { alphabet, bits, group, name, paddingFault }: Encoding): Uint8Array {
  const corrupt = (index: number) => new DecodeError(`illegal ${name} data at input byte ${index}`);
  const out: number[] = [];
  let held = 0;
  let heldBits = 0;
  let inGroup = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const character = text.charAt(offset);
    if (isLineBreak(character)) continue;
    if (character === "=") {
      const fault = paddingFault(text, offset, inGroup);
      if (fault !== undefined) throw corrupt(fault);
      return Uint8Array.from(out);
    }
    const digit = alphabet.indexOf(character);
    if (digit < 0) throw corrupt(offset);
    held = (held << bits) | digit;
    heldBits += bits;
    inGroup = (inGroup + 1) % group;
    if (heldBits >= 8) {
      heldBits -= 8;
      out.push((held >> heldBits) & 255);
      held &= (1 << heldBits) - 1;
    }
  }
  if (inGroup !== 0) throw corrupt(text.length - inGroup);
  return Uint8Array.from(out);
}

function isLineBreak(character: string): boolean {
  return character === "\n" || character === "\r";
}

function skipLineBreaks(text: string, offset: number): number {
  while (offset < text.length && isLineBreak(text.charAt(offset))) offset++;
  return offset;
}

/** Expects `==` after two characters, `=` after three, and then only line breaks. */
function base64PaddingFault(text: string, offset: number, inGroup: number): number | undefined {
  if (inGroup < 2) return offset;
  let next = skipLineBreaks(text, offset + 1);
  if (inGroup === 2) {
    if (next === text.length) return next;
    if (text[next] !== "=") return next - 1;
    next = skipLineBreaks(text, next + 1);
  }
  return next < text.length ? next : undefined;
}

/** Expects a group that `=` fills up to eight characters; the rest, less than another group, is ignored. */
function base32PaddingFault(text: string, offset: number, inGroup: number): number | undefined {
  const rest = text.length - offset - 1;
  if (inGroup < 2 || rest >= 8) return offset;
  if (rest + inGroup < 7) return text.length;
  for (let i = 1; i < 8 - inGroup; i++) if (text[offset + i] !== "=") return offset + i - 1;
  return inGroup === 3 || inGroup === 6 ? offset : undefined;
}
