/**
 * Decompresses the beginning of zstd data (RFC 8878). This module loads the decompression library, so load it on
 * demand. It parses frame headers itself to limit memory and work.
 */
import { Decompress } from "fzstd";
import { joinedBytes } from "@tiphys/base/joined_bytes";

/** The largest window of a frame. */
const MAX_WINDOW_BYTES = 8 * 1024 * 1024;

/** The maximum number of bytes that the library may move within its window, which it does for each block. */
export const MAX_MOVED_BYTES = 4 * 1024 ** 3;

/** The decompressed content, and whether it is complete. */
export interface UnzstdResult {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly isAll: boolean;
}

/**
 * Decompresses up to `max` bytes, or one block more. Damaged or truncated data is decompressed up to the damage.
 * `left` is the remaining budget of moved bytes, which chunks of one file share; it is reduced.
 */
export function unzstd(bytes: Uint8Array, max: number, left = { moved: MAX_MOVED_BYTES }): UnzstdResult {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let isAll = true;
  try {
    for (const { from, to, windowBytes, isWhole } of framesOf(bytes)) {
      if (windowBytes > MAX_WINDOW_BYTES) return { content: joinedBytes(parts), isAll: false };
      const decoder = new Decompress((part) => {
        parts.push(part.slice());
        size += part.length;
        left.moved -= windowBytes;
        if (size >= max || left.moved < 0) throw new RangeError("the limit of decompressed data is reached");
      });
      decoder.push(bytes.subarray(from, to), isWhole);
      isAll &&= isWhole;
    }
  } catch {
    // Damaged data, or more than is shown: the content before it is kept.
    isAll = false;
  }
  return { content: joinedBytes(parts), isAll };
}

interface Frame {
  readonly from: number;
  readonly to: number;
  readonly windowBytes: number;
  readonly isWhole: boolean;
}

/** Yields the frames of a file, without skippable ones. */
function* framesOf(bytes: Uint8Array): Generator<Frame> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let offset = 0; offset < bytes.length;) {
    if (bytes[offset]! >> 4 === 5) {
      offset += 8 + view.getUint32(offset + 4, true);
      continue;
    }
    const frame = parseFrameAt(view, offset);
    yield frame;
    offset = frame.to;
  }
}

/** Parses a frame header. @throws {RangeError} if the header is incomplete */
function parseFrameAt(view: DataView, from: number): Frame {
  const descriptor = view.getUint8(from + 4);
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeAt = from + (isSingle ? 5 : 6) + dictionaryBytes;
  const windowBytes = isSingle ? contentSize(view, sizeAt, sizeBytes) : windowOf(view.getUint8(from + 5));
  let offset = sizeAt + sizeBytes;
  for (let isLast = false; !isLast;) {
    if (offset + 3 > view.byteLength) return { from, to: view.byteLength, windowBytes, isWhole: false };
    const word = view.getUint16(offset, true) + view.getUint8(offset + 2) * 65_536;
    isLast = (word & 1) === 1;
    offset += 3 + ((word >> 1 & 3) === 1 ? 1 : word >> 3);
  }
  if (descriptor & 4) offset += 4;
  return { from, to: Math.min(offset, view.byteLength), windowBytes, isWhole: offset <= view.byteLength };
}

function windowOf(byte: number): number {
  const base = 2 ** (10 + (byte >> 3));
  return base + base / 8 * (byte & 7);
}

function contentSize(view: DataView, offset: number, bytes: number): number {
  if (bytes === 1) return view.getUint8(offset);
  if (bytes === 2) return view.getUint16(offset, true) + 256;
  return bytes === 4 ? view.getUint32(offset, true) : Number(view.getBigUint64(offset, true));
}
