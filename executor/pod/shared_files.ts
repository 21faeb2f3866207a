/**
 * Files that the containers of a pod share, by their paths. What lies there may have been put there by any of them:
 * nothing is read that is larger than it may be, or has no end. An auxiliary container, which has more rights than main,
 * takes `confined_files.ts` instead, which follows no link either.
 */

/**
 * The operations of a container on shared files. All are synchronous: the files are small, and a broken process has no
 * other turn.
 */
export interface SharedFiles {
  /**
   * The text of a file; undefined when there is none.
   * @param limit in bytes.
   * @throws {Error} when it is larger, or no file.
   */
  read(file: string, limit: number): string | undefined;
  /** The last bytes of a file, at most `limit`, and how many it has; undefined when there is none. */
  tail(file: string, limit: number): { readonly text: string; readonly size: number } | undefined;
  /** Writes a file so that a reader sees either nothing or all of it. */
  write(file: string, text: string, mode?: number): void;
  /** Makes a folder that containers of other users may write to as well. */
  makeFolder(folder: string): void;
  /** Takes a file away; nothing happens when there is none. */
  remove(file: string): void;
  /** Takes a file away and reads it, so that what is put there next is not lost; undefined when there is none. */
  take(file: string, limit: number): string | undefined;
  /** Opens a file for a lock; undefined when there is none. */
  open(file: string): Deno.FsFile | undefined;
}

/** The files as they lie there, for a container that could read them anyway. */
export const PLAIN_FILES: SharedFiles = {
  read: (file, limit) => unlessMissing(() => textOf(file, limit)),
  tail: (file, limit) =>
    unlessMissing(() => {
      using opened = openOrdinary(file);
      return tailOf(opened, limit);
    }),
  write(file, text, mode = 0o644) {
    // Several may write at once; each under a name of its own before it is seen. Deno's `crypto` would take a megabyte.
    const temporary = besideFile(file);
    Deno.writeTextFileSync(temporary, text, { mode });
    Deno.renameSync(temporary, file);
  },
  makeFolder(folder) {
    Deno.mkdirSync(folder, { recursive: true });
    unlessNotOurs(() => Deno.chmodSync(folder, 0o777));
  },
  remove: (file) => unlessMissing(() => Deno.removeSync(file)),
  take(file, limit) {
    const taken = `${file}.taken`;
    return unlessMissing(() => {
      Deno.renameSync(file, taken);
      const text = textOf(taken, limit);
      Deno.removeSync(taken);
      return text;
    });
  },
  open: (file) =>
    unlessMissing(() => {
      using _ = openOrdinary(file);
      return Deno.openSync(file, { write: true });
    }),
};

/** A free path beside a file, whose own name may leave no room for an ending. */
export function besideFile(file: string): string {
  // deno-lint-ignore tiphys/linear-regexp -- a name in a path has 255 bytes at most
  return file.replace(/[^/]*$/, `.${crypto.randomUUID()}.tmp`);
}

function textOf(file: string, limit: number): string {
  using opened = openOrdinary(file);
  const { text, size } = tailOf(opened, limit);
  if (size > limit) throw new Error(`${file} has ${size} bytes, more than the ${limit} that are allowed`);
  return text;
}

/** Opens an ordinary file: opening a pipe would wait for its other end. */
function openOrdinary(file: string): Deno.FsFile {
  if (!Deno.statSync(file).isFile) throw new Error(`Expected a file, got a folder, pipe, socket or device: ${file}`);
  return Deno.openSync(file);
}

/** The last bytes of an open file as text; a file that grows meanwhile is read as far as it went. */
export function tailOf(file: Deno.FsFile, limit: number): { text: string; size: number } {
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

/** The result of `act`; undefined where it misses a file. */
export function unlessMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * Does something that only the owner of a file may do, such as changing its mode; nothing happens where that is
 * somebody else, who has made it so that all may write.
 */
export function unlessNotOurs(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable)) throw error;
  }
}
