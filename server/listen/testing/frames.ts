/** HTTP/2 frames for tests. */

/** The connection preface. */
export const PREFACE = new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
/** Frame types. */
export const [DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION] = [
  0,
  1,
  3,
  4,
  6,
  7,
  8,
  9,
] as const;
/** Frame flags. */
export const [END_STREAM, END_HEADERS] = [1, 4] as const;
/** `:method: GET`, `:scheme: http`, `:path: /` and `:authority: a`, encoded with HPACK. */
export const GET = Uint8Array.of(0x82, 0x86, 0x84, 0x41, 1, 0x61);
/** The same with `:method: POST`. */
export const POST = Uint8Array.of(0x83, ...GET.subarray(1));
/** The setting of a 2 GiB window for each stream, so that flow control never blocks. */
export const WIDE = Uint8Array.of(0, 4, 0x7f, 0xff, 0xff, 0xff);
/** Encodes a frame. */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array()): Uint8Array {
  const bytes = new Uint8Array(9 + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, payload.length << 8 | type);
  bytes[4] = flags;
  view.setUint32(5, stream);
  bytes.set(payload, 9);
  return bytes;
}
