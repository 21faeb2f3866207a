/** Listing zip archives that anybody wrote, without unpacking anything: names and sizes, at most 1,000. */
import { MOST_FILES } from "./tar.ts";

/** One file of an archive. */
export interface ZipFile {
  readonly name: string;
  /** Bytes, as the archive says; undefined where only what follows the file says it. */
  readonly size: number | undefined;
}

const LONGEST_NAME = 4_096;
/** The longest end of a directory: its 22 bytes, and a comment. */
const LONGEST_END = 22 + 0xffff;

const FILE = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
/** A size of 32 bits that stands for one of 64, which is among the further fields. */
const LONG = 0xffffffff;
const IS_TOLD_AFTER = 1 << 3;

/** Whether bytes begin as a zip archive with files does. */
export function beginsAsZip(bytes: Uint8Array): boolean {
  return bytes.length >= 30 && viewOf(bytes).getUint32(0, true) === FILE;
}

/**
 * The files of an archive in the order of its directory. One that was read in part, or whose directory is broken, has its
 * files in the order of their bytes, up to the first whose length is not told before it.
 */
export function zipFiles(archive: Uint8Array): ZipFile[] {
  const view = viewOf(archive);
  const directory = directoryIn(view);
  const files = directory === undefined ? [] : filesIn(view, directory, ENTRY_AT);
  return files.length > 0 ? files : filesIn(view, 0, HEADER_AT);
}

/** The places of the fields in an entry of the directory, or in the header before a file. */
interface FieldsAt {
  readonly sign: number;
  readonly length: number;
  readonly flags: number;
  readonly packed: number;
  readonly size: number;
  readonly nameLength: number;
  /** Lengths of what follows the name and is passed over. */
  readonly rest: readonly number[];
  /** Whether the bytes of the file follow. */
  readonly isBeforeFile: boolean;
}

const ENTRY_AT: FieldsAt = {
  sign: ENTRY,
  length: 46,
  flags: 8,
  packed: 20,
  size: 24,
  nameLength: 28,
  rest: [30, 32],
  isBeforeFile: false,
};

const HEADER_AT: FieldsAt = {
  sign: FILE,
  length: 30,
  flags: 6,
  packed: 18,
  size: 22,
  nameLength: 26,
  rest: [28],
  isBeforeFile: true,
};

function filesIn(view: DataView, first: number, fields: FieldsAt): ZipFile[] {
  const files: ZipFile[] = [];
  for (let at = first; at + fields.length <= view.byteLength && files.length < MOST_FILES;) {
    if (view.getUint32(at, true) !== fields.sign) break;
    const [extraLength = 0, ...others] = fields.rest.map((place) => view.getUint16(at + place, true));
    const nameEnd = at + fields.length + view.getUint16(at + fields.nameLength, true);
    const extraEnd = nameEnd + extraLength;
    if (extraEnd > view.byteLength) break;
    const told = { size: view.getUint32(at + fields.size, true), packed: view.getUint32(at + fields.packed, true) };
    const { size, packed } = longSizes(view, nameEnd, extraEnd, told);
    const isToldAfter = fields.isBeforeFile && (view.getUint16(at + fields.flags, true) & IS_TOLD_AFTER) !== 0;
    const name = textIn(view, at + fields.length, Math.min(nameEnd, at + fields.length + LONGEST_NAME));
    if (!name.endsWith("/")) files.push({ name, size: isToldAfter ? undefined : size });
    if (isToldAfter) break;
    at = extraEnd + others.reduce((sum, one) => sum + one, 0) + (fields.isBeforeFile ? packed : 0);
  }
  return files;
}

/** The place where the directory begins; undefined where the end of the archive does not say it. */
function directoryIn(view: DataView): number | undefined {
  const last = view.byteLength - 22;
  for (let at = last; at >= 0 && at >= view.byteLength - LONGEST_END; at--) {
    if (view.getUint32(at, true) !== END || at + 22 + view.getUint16(at + 20, true) !== view.byteLength) continue;
    const begin = view.getUint32(at + 16, true);
    return begin < at ? begin : undefined;
  }
  return undefined;
}

/** Sizes with those of 64 bits in their place: the further field 1 has those that do not fit, in this order. */
function longSizes(view: DataView, from: number, to: number, told: { size: number; packed: number }) {
  let { size, packed } = told;
  for (let at = from; at + 4 <= to;) {
    const end = at + 4 + view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === 1 && end <= to) {
      let place = at + 4;
      const next = () => {
        const value = place + 8 <= end ? Number(view.getBigUint64(place, true)) : 0;
        place += 8;
        return value;
      };
      if (size === LONG) size = next();
      if (packed === LONG) packed = next();
      break;
    }
    at = end;
  }
  return { size, packed };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function textIn(view: DataView, from: number, to: number): string {
  return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + from, to - from));
}
