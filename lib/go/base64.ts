/** Base64 and base32 with Go's strictness and messages. */

/** A text that is not in the encoding it should be; the message is Go's. */
export class DecodeError extends Error {
  override name = "DecodeError";
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** `base64.StdEncoding.DecodeString`: padding required, line breaks skipped. */
export function decodeBase64(text: string): Uint8Array {
  return decode(text, { alphabet: BASE64, bits: 6, group: 4, name: "base64" });
}

/** `base32.StdEncoding.DecodeString`. */
export function decodeBase32(text: string): Uint8Array {
  return decode(text, { alphabet: BASE32, bits: 5, group: 8, name: "base32" });
}

/** `base32.StdEncoding.EncodeToString`. */
export function encodeBase32(bytes: Uint8Array): string {
  let out = "";
  let held = 0;
  let bits = 0;
  for (const one of bytes) {
    held = (held << 8) | one;
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
}

/** How many data characters the last group may have: those that carry whole bytes. */
const LAST_GROUP: Readonly<Record<number, readonly number[]>> = { 4: [0, 2, 3], 8: [0, 2, 4, 5, 7] };

function decode(text: string, { alphabet, bits, group, name }: Encoding): Uint8Array {
  const corrupt = (at: number) => new DecodeError(`illegal ${name} data at input byte ${at}`);
  const out: number[] = [];
  let held = 0;
  let heldBits = 0;
  let inGroup = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "\n" || character === "\r") continue;
    if (character === "=") {
      const rest = text.slice(at).replace(/[\r\n]/g, "");
      if (inGroup === 0 || !LAST_GROUP[group].includes(inGroup)) throw corrupt(at);
      const padding = group - inGroup;
      if (rest.length < padding) throw corrupt(text.length);
      const odd = [...rest].findIndex((one, i) => i >= padding || one !== "=");
      if (odd >= 0) throw corrupt(at + odd);
      return Uint8Array.from(out);
    }
    const digit = alphabet.indexOf(character);
    if (digit < 0) throw corrupt(at);
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
