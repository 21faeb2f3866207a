/**
 * Bounded reading of files that others wrote: their kind and size are asked before they are read, and never more than a
 * limit is read.
 */
import type { Held } from "./held.ts";

/** Something is larger than it may be. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";

  /** `size` and `limit` in bytes. */
  constructor(what: string, readonly size: number, readonly limit: number) {
    super(`${what} has ${size} bytes, more than the ${limit} that are allowed`);
  }
}

/** Something that is read to its end may have none: a pipe, a socket, a device, a folder. */
export class NoFileError extends Error {
  override readonly name = "NoFileError";
}

/**
 * Opens what is held for reading.
 * @throws {NoFileError} when it is no regular file.
 */
export function openFile(held: Held, what: string): Deno.FsFile {
  if (!held.info().isFile) {
    throw new NoFileError(`Expected a file, got a folder, pipe, socket, device or link: ${what}`);
  }
  return Deno.openSync(held.path);
}

/**
 * Reads an open file to its end.
 * @param limit in bytes; a file that grows while it is read is no exception.
 * @param what the file, as an error names it.
 * @throws {TooLargeError} when there is more.
 */
export function readBounded(file: Deno.FsFile, limit: number, what: string): Uint8Array<ArrayBuffer> {
  const { size } = file.statSync();
  if (size > limit) throw new TooLargeError(what, size, limit);
  // The buffer has one byte more than needed: then the end is seen at once, and growth is noticed.
  let bytes = new Uint8Array(Math.max(size, 511) + 1);
  for (let length = 0;;) {
    const read = file.readSync(bytes.subarray(length));
    if (read === null) return bytes.subarray(0, length);
    length += read;
    if (length > limit) throw new TooLargeError(what, length, limit);
    if (length < bytes.length) continue;
    const more = new Uint8Array(Math.min(limit + 1, bytes.length * 2));
    more.set(bytes);
    bytes = more;
  }
}
