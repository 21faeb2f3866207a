/**
 * The beginning of what a file of zstd holds (RFC 8878). The library that unpacks it is loaded with this file, and not
 * before; frames are walked here, so that none makes it take memory, or work, without end.
 */
import { Decompress } from "fzstd";
import { joinedBytes } from "@tiphys/base/joined_bytes";

/** The most memory that a frame may ask for. */
const MOST_WINDOW_BYTES = 8 * 1024 * 1024;

/** The most bytes that the library moves within its window, which it does once for each block. */
export const MOST_MOVED_BYTES = 4 * 1024 ** 3;

/** What was unpacked, and whether that is all. */
export interface Unpacked {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly isAll: boolean;
}

/**
 * Unpacks `most` bytes, or a block more. What is damaged, or breaks off, is unpacked up to there. `left` has the bytes that
 * may still be moved, which become less: pieces of one file have them together.
 */
export function unzstd(bytes: Uint8Array, most: number, left = { moved: MOST_MOVED_BYTES }): Unpacked {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let isAll = true;
  try {
    for (const { from, to, windowBytes, isWhole } of frames(bytes)) {
      if (windowBytes > MOST_WINDOW_BYTES) return { content: joinedBytes(parts), isAll: false };
      const decoder = new Decompress((part) => {
        parts.push(part.slice());
        size += part.length;
        left.moved -= windowBytes;
        if (size >= most || left.moved < 0) throw new RangeError("enough is unpacked");
      });
      decoder.push(bytes.subarray(from, to), isWhole);
      isAll &&= isWhole;
    }
  } catch {
    // Damaged, or more than is shown: what came before is there.
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

/** The frames of a file; those that are passed over are left out. */
function* frames(bytes: Uint8Array): Generator<Frame> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length;) {
    if (bytes[at]! >> 4 === 5) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    const frame = frameAt(view, at);
    yield frame;
    at = frame.to;
  }
}

/** @throws {RangeError} where the header is not there as a whole. */
function frameAt(view: DataView, from: number): Frame {
  const descriptor = view.getUint8(from + 4);
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeAt = from + (isSingle ? 5 : 6) + dictionaryBytes;
  const windowBytes = isSingle ? contentSize(view, sizeAt, sizeBytes) : windowOf(view.getUint8(from + 5));
  let at = sizeAt + sizeBytes;
  for (let isLast = false; !isLast;) {
    if (at + 3 > view.byteLength) return { from, to: view.byteLength, windowBytes, isWhole: false };
    const word = view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
    isLast = (word & 1) === 1;
    at += 3 + ((word >> 1 & 3) === 1 ? 1 : word >> 3);
  }
  if (descriptor & 4) at += 4;
  return { from, to: Math.min(at, view.byteLength), windowBytes, isWhole: at <= view.byteLength };
}

function windowOf(byte: number): number {
  const base = 2 ** (10 + (byte >> 3));
  return base + base / 8 * (byte & 7);
}

function contentSize(view: DataView, at: number, bytes: number): number {
  if (bytes === 1) return view.getUint8(at);
  if (bytes === 2) return view.getUint16(at, true) + 256;
  return bytes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}
