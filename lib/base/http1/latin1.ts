/**
 * Decodes bytes of a head to text, one character per byte, so that the result does not depend on how the bytes are
 * split.
 */

const decoder = new TextDecoder();
/** Maximum number of arguments of one call. */
const MAX_ARGUMENTS = 8192;

/** Decodes bytes below 128, which most heads consist of: faster than {@link latin1}. */
export function ascii(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Decodes any bytes. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += MAX_ARGUMENTS) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + MAX_ARGUMENTS));
  }
  return text;
}
