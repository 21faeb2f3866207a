/** Lists untrusted zip archives without extracting them: names and sizes of up to 1,000 files. */
import { MAX_FILES } from "./tar.ts";

/** A file in an archive. */
export interface ZipFile {
  readonly name: string;
  /** In bytes, as the archive claims; undefined if the size is recorded after the file only. */
  readonly size: number | undefined;
}

const MAX_NAME_LENGTH = 4_096;
/** The largest end-of-directory record: 22 bytes and a comment. */
const MAX_END_BYTES = 22 + 0xffff;

const FILE = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
/** A 32-bit size that refers to a 64-bit size among the extra fields. */
const LONG = 0xffffffff;
const IS_TOLD_AFTER = 1 << 3;

/** Reports whether data starts like a non-empty zip archive. */
export function beginsAsZip(bytes: Uint8Array): boolean {
  return bytes.length >= 30 && viewOf(bytes).getUint32(0, true) === FILE;
}

/**
 * Lists files in the order of the central directory. If the archive is partial or its directory is damaged, files are
 * listed from their local headers, up to the first one without a size.
 */
export function zipFiles(archive: Uint8Array): ZipFile[] {
  const view = viewOf(archive);
  const directory = directoryIn(view);
  const files = directory === undefined ? [] : filesIn(view, directory, ENTRY_AT);
  return files.length > 0 ? files : filesIn(view, 0, HEADER_AT);
}

/** Offsets of the fields in a directory entry or a local header. */
interface FieldsAt {
  readonly sign: number;
  readonly length: number;
  readonly flags: number;
  readonly packed: number;
  readonly size: number;
  readonly nameLength: number;
  /** Lengths of the parts after the name, which are skipped. */
  readonly skippedLengths: readonly number[];
  /** Whether the content of the file follows. */
  readonly isBeforeFile: boolean;
}

const ENTRY_AT: FieldsAt = {
  sign: ENTRY,
  length: 46,
  flags: 8,
  packed: 20,
  size: 24,
  nameLength: 28,
  skippedLengths: [30, 32],
  isBeforeFile: false,
};

const HEADER_AT: FieldsAt = {
  sign: FILE,
  length: 30,
  flags: 6,
  packed: 18,
  size: 22,
  nameLength: 26,
  skippedLengths: [28],
  isBeforeFile: true,
};

function filesIn(view: DataView, first: number, fields: FieldsAt): ZipFile[] {
  const files: ZipFile[] = [];
  for (let offset = first; offset + fields.length <= view.byteLength && files.length < MAX_FILES;) {
    if (view.getUint32(offset, true) !== fields.sign) break;
    const [extraLength = 0, ...others] = fields.skippedLengths.map((place) => view.getUint16(offset + place, true));
    const nameEnd = offset + fields.length + view.getUint16(offset + fields.nameLength, true);
    const extraEnd = nameEnd + extraLength;
    if (extraEnd > view.byteLength) break;
    const told = {
      size: view.getUint32(offset + fields.size, true),
      packed: view.getUint32(offset + fields.packed, true),
    };
    const { size, packed } = longSizes(view, nameEnd, extraEnd, told);
    const isToldAfter = fields.isBeforeFile && (view.getUint16(offset + fields.flags, true) & IS_TOLD_AFTER) !== 0;
    const name = textIn(view, offset + fields.length, Math.min(nameEnd, offset + fields.length + MAX_NAME_LENGTH));
    if (!name.endsWith("/")) files.push({ name, size: isToldAfter ? undefined : size });
    if (isToldAfter) break;
    offset = extraEnd + others.reduce((sum, other) => sum + other, 0) + (fields.isBeforeFile ? packed : 0);
  }
  return files;
}

/** Returns the offset of the central directory, or undefined if the end record is missing. */
function directoryIn(view: DataView): number | undefined {
  const last = view.byteLength - 22;
  for (let index = last; index >= 0 && index >= view.byteLength - MAX_END_BYTES; index--) {
    if (view.getUint32(index, true) !== END || index + 22 + view.getUint16(index + 20, true) !== view.byteLength) {
      continue;
    }
    const begin = view.getUint32(index + 16, true);
    return begin < index ? begin : undefined;
  }
  return undefined;
}

/** Replaces sizes by 64-bit ones: extra field 1 contains those that do not fit, in this order. */
function longSizes(view: DataView, from: number, to: number, sizes: { size: number; packed: number }) {
  let { size, packed } = sizes;
  for (let offset = from; offset + 4 <= to;) {
    const end = offset + 4 + view.getUint16(offset + 2, true);
    if (view.getUint16(offset, true) === 1 && end <= to) {
      let place = offset + 4;
      const next = () => {
        const value = place + 8 <= end ? Number(view.getBigUint64(place, true)) : 0;
        place += 8;
        return value;
      };
      if (size === LONG) size = next();
      if (packed === LONG) packed = next();
      break;
    }
    offset = end;
  }
  return { size, packed };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function textIn(view: DataView, from: number, to: number): string {
  return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + from, to - from));
}
