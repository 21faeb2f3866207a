/**
 * Files that the containers of a pod share, by path. Any container may have written them, so sizes are limited and only
 * regular files are read. An auxiliary container, which has more rights than main, uses `confined_files.ts` instead,
 * which also refuses links.
 */

/**
 * The operations of a container on shared files. All are synchronous: the files are small, and a crashing process
 * cannot await.
 */
export interface SharedFiles {
  /**
   * Reads a file. Returns undefined if it does not exist.
   * @param limit in bytes.
   * @throws {Error} when it is larger, or not a regular file.
   */
  read(file: string, limit: number): string | undefined;
  /**
   * Reads at most `limit` bytes from the end of a file, and returns its size too. Returns undefined if it does not
   * exist.
   */
  tail(file: string, limit: number): { readonly text: string; readonly size: number } | undefined;
  /** Writes a file atomically: a reader sees the old contents or the new ones. */
  write(file: string, text: string, mode?: number): void;
  /** Creates a folder that containers of other users may write to. */
  makeFolder(folder: string): void;
  /** Removes a file, if it exists. */
  remove(file: string): void;
  /**
   * Renames a file, then reads and removes it, so that a file written meanwhile is not lost. Returns undefined if it
   * does not exist.
   */
  readAndRemove(file: string, limit: number): string | undefined;
  /** Opens a file to lock it. Returns undefined if it does not exist. */
  open(file: string): Deno.FsFile | undefined;
}

/** Shared files without protection against links, for containers that have no additional rights. */
export const PLAIN_FILES: SharedFiles = {
  read: (file, limit) => undefinedIfMissing(() => textOf(file, limit)),
  tail: (file, limit) =>
    undefinedIfMissing(() => {
      using opened = openRegularFile(file);
      return readTail(opened, limit);
    }),
  write(file, text, mode = 0o644) {
    // Several processes may write at once, so each uses its own temporary name.
    const temporary = temporaryPathFor(file);
    Deno.writeTextFileSync(temporary, text, { mode });
    Deno.renameSync(temporary, file);
  },
  makeFolder(folder) {
    Deno.mkdirSync(folder, { recursive: true });
    ignoreIfNotOwner(() => Deno.chmodSync(folder, 0o777));
  },
  remove: (file) => undefinedIfMissing(() => Deno.removeSync(file)),
  readAndRemove(file, limit) {
    const taken = `${file}.taken`;
    return undefinedIfMissing(() => {
      Deno.renameSync(file, taken);
      const text = textOf(taken, limit);
      Deno.removeSync(taken);
      return text;
    });
  },
  open: (file) =>
    undefinedIfMissing(() => {
      using _ = openRegularFile(file);
      return Deno.openSync(file, { write: true });
    }),
};

/**
 * Returns a free temporary path in the folder of a file. The file's own name is not used, because a suffix could exceed
 * the maximum length.
 */
export function temporaryPathFor(file: string): string {
  // deno-lint-ignore tiphys/linear-regexp -- a name in a path has 255 bytes at most
  return file.replace(/[^/]*$/, `.${crypto.randomUUID()}.tmp`);
}

function textOf(file: string, limit: number): string {
  using opened = openRegularFile(file);
  const { text, size } = readTail(opened, limit);
  if (size > limit) throw new Error(`${file} has ${size} bytes, and the limit is ${limit}`);
  return text;
}

/** Opens a regular file. Opening a pipe would block until its other end is opened. */
function openRegularFile(file: string): Deno.FsFile {
  if (!Deno.statSync(file).isFile) throw new Error(`Expected a file, got a folder, pipe, socket or device: ${file}`);
  return Deno.openSync(file);
}

/** Reads the last bytes of an open file as text. Bytes that are appended meanwhile are not read. */
export function readTail(file: Deno.FsFile, limit: number): { text: string; size: number } {
  const { size } = file.statSync();
  if (size > limit) file.seekSync(size - limit, Deno.SeekMode.Start);
  const bytes = new Uint8Array(Math.min(size, limit));
  let length = 0;
  while (length < bytes.length) {
    const read = file.readSync(bytes.subarray(length));
    if (read === null) break;
    length += read;
  }
  return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, length)), size };
}

/** Returns the result of `act`, or undefined if a file does not exist. */
export function undefinedIfMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * Does something that only the owner of a file may do, such as changing its mode. If another user owns the file, the
 * error is ignored: that user has made it writable for all.
 */
export function ignoreIfNotOwner(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable)) throw error;
  }
}
