/** Reading tar archives that anybody wrote: names and bytes, and never more than was asked for. */

/** One file of an archive. */
export interface TarFile {
  readonly name: string;
  readonly size: number;
  /** The bytes of the file that were read: an archive that was read in part may end within it. */
  readonly bytes: Uint8Array;
}

const BLOCK = 512;
/** The most files of an archive that are listed. */
export const MOST_FILES = 1_000;
const LONGEST_NAME = 4_096;

/** The files of an archive in their order, at most 1,000; none where it is no tar. */
export function tarFiles(archive: Uint8Array): TarFile[] {
  const files: TarFile[] = [];
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= archive.length && files.length < MOST_FILES;) {
    const head = archive.subarray(at, at + BLOCK);
    if (head[0] === 0 || !hasChecksum(head)) break;
    const size = octal(head.subarray(124, 136));
    if (!Number.isSafeInteger(size)) break;
    const bytes = archive.subarray(at + BLOCK, at + BLOCK + size);
    const type = String.fromCharCode(head[156]!);
    if (type === "L") longName = text(bytes.subarray(0, LONGEST_NAME));
    else if (type === "x") longName = paxPath(text(bytes.subarray(0, LONGEST_NAME))) ?? longName;
    else {
      if (type === "0" || type === "\0") files.push({ name: longName ?? nameIn(head), size, bytes });
      longName = undefined;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/** The sum of a header, its own eight bytes taken as blanks: noise is told from an archive by it. */
function hasChecksum(head: Uint8Array): boolean {
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 0x20 : head[i]!;
  return sum === octal(head.subarray(148, 156));
}

function nameIn(head: Uint8Array): string {
  const prefix = text(head.subarray(257, 262)) === "ustar" ? text(head.subarray(345, 500)) : "";
  const name = text(head.subarray(0, 100));
  return prefix === "" ? name : `${prefix}/${name}`;
}

function octal(field: Uint8Array): number {
  const digits = text(field).trim();
  return /^[0-7]{1,12}$/.test(digits) ? parseInt(digits, 8) : NaN;
}

function text(field: Uint8Array): string {
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}

/** The name among the further fields of a header: lines `LENGTH path=NAME`. */
function paxPath(fields: string): string | undefined {
  return /^\d+ path=(.*)$/m.exec(fields)?.[1];
}
