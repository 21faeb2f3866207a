/**
 * The first bytes of Tiphys' archives that are compressed with zstd: a skippable frame (RFC 8878), which zstd readers
 * ignore. It distinguishes such an archive, which is unpacked, from a user's zstd file, which is kept unchanged.
 */

/** The frame: its magic number, the length of its content, and the content. */
export const ZSTD_MARK: Uint8Array<ArrayBuffer> = Uint8Array.from(
  "\x50\x2a\x4d\x18\x0a\0\0\0tiphys-tar",
  (sign) => sign.charCodeAt(0),
);

/** Whether content begins with the mark. For content shorter than the mark: whether it may. */
export function startsWithZstdMark(start: Uint8Array): boolean {
  return start.subarray(0, ZSTD_MARK.length).every((byte, index) => byte === ZSTD_MARK[index]);
}

/** Whether content begins with a normal or skippable zstd frame. */
export function isZstd([first = 0, ...rest]: Uint8Array): boolean {
  const [second, third, fourth] = rest;
  if (first === 0x28) return second === 0xb5 && third === 0x2f && fourth === 0xfd;
  return first >> 4 === 5 && second === 0x2a && third === 0x4d && fourth === 0x18;
}
