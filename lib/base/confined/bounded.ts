/** Reads untrusted files: their type and size are checked first, and never more than a limit is read. */
import type { Handle } from "./handle.ts";

/** The error for content that exceeds its limit. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";

  /** `size` and `limit` in bytes. */
  constructor(subject: string, readonly size: number, readonly limit: number) {
    super(`${subject} has ${size} bytes, more than the ${limit} that are allowed`);
  }
}

/** The error for anything but a regular file: reading a pipe, a socket or a device to its end might never finish. */
export class NotAFileError extends Error {
  override readonly name = "NotAFileError";
}

/**
 * Opens a handle's file for reading.
 * @throws {NotAFileError} when it is not a regular file.
 */
export function openFile(handle: Handle, subject: string): Deno.FsFile {
  if (!handle.info().isFile) {
    throw new NotAFileError(`Expected a file, got a folder, pipe, socket, device or link: ${subject}`);
  }
  return Deno.openSync(handle.path);
}

/**
 * Reads an open file to its end.
 * @param limit in bytes; it also applies to a file that grows during the read.
 * @param subject the file, as an error names it.
 * @throws {TooLargeError} when the file is larger.
 */
export function readBounded(file: Deno.FsFile, limit: number, subject: string): Uint8Array<ArrayBuffer> {
  const { size } = file.statSync();
  if (size > limit) throw new TooLargeError(subject, size, limit);
  // One byte more than the size: the first read then reaches the end, and growth is detected.
  let bytes = new Uint8Array(Math.max(size, 511) + 1);
  for (let length = 0;;) {
    const read = file.readSync(bytes.subarray(length));
    if (read === null) return bytes.subarray(0, length);
    length += read;
    if (length > limit) throw new TooLargeError(subject, length, limit);
    if (length < bytes.length) continue;
    const more = new Uint8Array(Math.min(limit + 1, bytes.length * 2));
    more.set(bytes);
    bytes = more;
  }
}
