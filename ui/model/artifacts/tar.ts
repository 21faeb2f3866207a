/** Lists untrusted tar archives, with limits on names and bytes. */

/** A file in an archive. */
export interface TarFile {
  readonly name: string;
  readonly size: number;
  /** The bytes that were read: a partial archive may end within the file. */
  readonly bytes: Uint8Array;
}

const BLOCK = 512;
/** The maximum number of files that are listed. */
export const MAX_FILES = 1_000;
const MAX_NAME_LENGTH = 4_096;

/** Lists up to 1,000 files, in order; empty if the data is not a tar archive. */
export function tarFiles(archive: Uint8Array): TarFile[] {
  const files: TarFile[] = [];
  let longName: string | undefined;
  for (let offset = 0; offset + BLOCK <= archive.length && files.length < MAX_FILES;) {
    const head = archive.subarray(offset, offset + BLOCK);
    if (head[0] === 0 || !hasChecksum(head)) break;
    const size = octal(head.subarray(124, 136));
    if (!Number.isSafeInteger(size)) break;
    const bytes = archive.subarray(offset + BLOCK, offset + BLOCK + size);
    const type = String.fromCharCode(head[156]!);
    if (type === "L") longName = text(bytes.subarray(0, MAX_NAME_LENGTH));
    else if (type === "x") longName = paxPath(text(bytes.subarray(0, MAX_NAME_LENGTH))) ?? longName;
    else {
      if (type === "0" || type === "\0") files.push({ name: longName ?? nameIn(head), size, bytes });
      longName = undefined;
    }
    offset += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/**
 * Checks the checksum of a header, which treats its own eight bytes as blanks. It distinguishes archives from noise.
 */
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

/** Returns the name from extended header records: lines `LENGTH path=NAME`. */
function paxPath(fields: string): string | undefined {
  return /^\d+ path=(.*)$/m.exec(fields)?.[1];
}
