/**
 * The beginning of archives that are packed with zstd: a skippable frame (RFC 8878), which every reader of zstd passes
 * over. It tells a tar of ours, which is unpacked, from a file of zstd that somebody keeps as it is.
 */

/** The frame: its magic number, the length of what it holds, and that. */
export const ZSTD_MARK: Uint8Array<ArrayBuffer> = Uint8Array.from(
  "\x50\x2a\x4d\x18\x0a\0\0\0tiphys-tar",
  (sign) => sign.charCodeAt(0),
);

/** Whether content begins as an archive of ours does; of fewer bytes, whether it may. */
export function beginsMarked(start: Uint8Array): boolean {
  return start.subarray(0, ZSTD_MARK.length).every((byte, at) => byte === ZSTD_MARK[at]);
}

/** Whether content begins like a zstd file: with a frame, or with one that is passed over. */
export function isZstd([first = 0, ...rest]: Uint8Array): boolean {
  const [second, third, fourth] = rest;
  if (first === 0x28) return second === 0xb5 && third === 0x2f && fourth === 0xfd;
  return first >> 4 === 5 && second === 0x2a && third === 0x4d && fourth === 0x18;
}
