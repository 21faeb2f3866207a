/** Frames of HTTP/2, written by hand. */

/** The bytes with which a connection begins. */
export const PREFACE = new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
/** The types of frames. */
export const [DATA, HEADERS, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION] = [0, 1, 3, 4, 6, 8, 9] as const;
/** The flags of frames. */
export const [END_STREAM, END_HEADERS] = [1, 4] as const;
/** `:method: GET`, `:scheme: http`, `:path: /` and `:authority: a`, as HPACK has them. */
export const GET = Uint8Array.of(0x82, 0x86, 0x84, 0x41, 1, 0x61);
/** The same with `:method: POST`. */
export const POST = Uint8Array.of(0x83, ...GET.subarray(1));
/** The setting of a window of 2 GiB for each stream: what is sent waits for nobody's permission. */
export const WIDE = Uint8Array.of(0, 4, 0x7f, 0xff, 0xff, 0xff);
/** A frame. */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array()): Uint8Array {
  const bytes = new Uint8Array(9 + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, payload.length << 8 | type);
  bytes[4] = flags;
  view.setUint32(5, stream);
  bytes.set(payload, 9);
  return bytes;
}
