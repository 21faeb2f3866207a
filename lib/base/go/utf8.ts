/**
 * Converts texts to UTF-8 bytes and back. Invalid bytes are represented as unpaired surrogates, U+DC80 for 0x80 to
 * U+DCFF for 0xff, which valid text does not contain, so that slicing within a character keeps its bytes. Before
 * output, make such a text well-formed: each of these becomes U+FFFD, as in Go.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** The difference between an invalid byte and its surrogate. */
const BYTE_BASE = 0xdc00;

/** The UTF-8 bytes of a text. */
export function toBytes(text: string): Uint8Array {
  // An unpaired surrogate becomes U+FFFD, of three bytes.
  const bytes = encoder.encode(text);
  if (text.isWellFormed()) return bytes;
  let from = 0;
  let to = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.codePointAt(offset)!;
    if (code > 0xffff) offset++;
    const length = code < 0x80 ? 1 : code < 0x800 ? 2 : code > 0xffff ? 4 : 3;
    if (code >= BYTE_BASE + 0x80 && code <= BYTE_BASE + 0xff) bytes[to++] = code - BYTE_BASE;
    else for (let next = from; next < from + length; next++) bytes[to++] = bytes[next]!;
    from += length;
  }
  return bytes.slice(0, to);
}

/** The text of bytes. */
export function fromBytes(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const parts: string[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const { code, length } = characterAt(bytes, offset);
    parts.push(String.fromCodePoint(code));
    offset += length;
  }
  return parts.join("");
}

/**
 * Returns the length of a character by its first byte, and the smallest code of that length: overlong encodings are
 * invalid.
 */
function shapeOf(lead: number): readonly [length: number, least: number] {
  if (lead < 0xc0 || lead > 0xf7) return [0, 0];
  return lead < 0xe0 ? [2, 0x80] : lead < 0xf0 ? [3, 0x800] : [4, 0x10000];
}

function characterAt(bytes: Uint8Array, offset: number): { readonly code: number; readonly length: number } {
  const lead = bytes[offset] ?? 0;
  const invalid = { code: BYTE_BASE + lead, length: 1 };
  if (lead < 0x80) return { code: lead, length: 1 };
  const [length, least] = shapeOf(lead);
  if (length === 0) return invalid;
  let code = lead & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    const next = bytes[offset + i] ?? 0;
    if ((next & 0xc0) !== 0x80) return invalid;
    code = (code << 6) | (next & 0x3f);
  }
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code < least || isSurrogate || code > 0x10ffff ? invalid : { code, length };
}
