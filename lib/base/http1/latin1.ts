/** Bytes of a head as text: each is one character, so that no header depends on how its bytes come in. */

const decoder = new TextDecoder();
/** The most bytes that are one call's arguments. */
const MOST_ARGUMENTS = 8192;

/** The text of bytes below 128, which most heads have: faster than {@link latin1}. */
export function ascii(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The text of any bytes. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += MOST_ARGUMENTS) {
    text += String.fromCharCode(...bytes.subarray(at, at + MOST_ARGUMENTS));
  }
  return text;
}
