import { Handle } from "./handle.ts";

/** Maximum number of folders above an entry of an archive. */
export const MAX_DEPTH = 512;

/** A handle to a folder. Replacing the folder at its path does not affect access to its entries. */
export class Folder extends Handle {
  /**
   * Opens the folder at a trusted path: links are followed.
   * @throws {Deno.errors.NotFound} when it does not exist, {@link Deno.errors.NotADirectory} when it is not a folder.
   */
  static override open(path: string): Folder {
    return Folder.#of(Handle.open(path, { folder: true, follow: true }));
  }

  static #of(handle: Handle): Folder {
    return new Folder(handle.path, Handle.descriptorOf(handle));
  }

  /**
   * Returns the path of an entry, for calls that do not follow a link in the last segment: `lstat`, `readLink`,
   * `mkdir`, `symlink`, `rename`, `remove`, `link`, and `open` with `createNew`.
   * @throws {TypeError} when the name is not a plain file name.
   */
  pathOf(name: string): string {
    if (!isPlainName(name)) throw new TypeError(`Expected the name of an entry, got ${JSON.stringify(name)}`);
    return `${this.path}/${name}`;
  }

  /** Opens a handle to an entry of any type, including a link itself; undefined when it does not exist. */
  openEntry(name: string): Handle | undefined {
    return undefinedIfMissing(() => Handle.open(this.pathOf(name)));
  }

  /**
   * Opens a handle to a subfolder; undefined when it does not exist.
   * @throws {Deno.errors.NotADirectory} when it is not a folder, also for a link to a folder.
   */
  openFolder(name: string): Folder | undefined {
    return undefinedIfMissing(() => Folder.#of(Handle.open(this.pathOf(name), { folder: true })));
  }

  /** Creates a subfolder and opens a handle to it. */
  createFolder(name: string, mode = 0o777): Folder {
    Deno.mkdirSync(this.pathOf(name), { mode });
    return this.openFolder(name) ?? fail(`${name} was removed by another process`);
  }

  /**
   * Opens a handle to a subfolder, which is created if it does not exist, also if another process creates it at the
   * same time.
   * @throws {Deno.errors.NotADirectory} when the existing entry is not a folder, also for a link to a folder.
   */
  ensureFolder(name: string, mode = 0o777): Folder {
    try {
      Deno.mkdirSync(this.pathOf(name), { mode });
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
    return this.openFolder(name) ?? fail(`${name} was removed by another process`);
  }

  /** Creates a file and returns a handle, whose path can be opened for writing. */
  create(name: string, mode = 0o666): Handle {
    return Handle.create(this.pathOf(name), mode);
  }

  /**
   * Creates a file and opens it for writing. The umask applies to its mode, which may forbid writing.
   * @throws {Deno.errors.AlreadyExists} when the entry exists, even as a broken link.
   */
  createAndOpen(name: string, mode = 0o666): Deno.FsFile {
    return Deno.openSync(this.pathOf(name), { write: true, createNew: true, mode });
  }

  /** Returns information about an entry without following a link; undefined when it does not exist. */
  stat(name: string): Deno.FileInfo | undefined {
    return undefinedIfMissing(() => Deno.lstatSync(this.pathOf(name)));
  }

  /** Returns the target of a link; undefined when the entry is not a link, or was removed. */
  readLink(name: string): string | undefined {
    const path = this.pathOf(name);
    try {
      return Deno.readLinkSync(path);
    } catch {
      return undefined;
    }
  }

  /** Removes an entry with everything below it, if it exists. Links are not followed. */
  remove(name: string): void {
    const path = this.pathOf(name);
    undefinedIfMissing(() => Deno.removeSync(path, { recursive: true }));
  }

  /** The names of its entries, sorted. */
  names(): string[] {
    return [...Deno.readDirSync(this.path)].map(({ name }) => name).sort();
  }

  /** Opens another handle to the same folder. */
  reopen(): Folder {
    return Folder.open(this.path);
  }
}

/** Whether a name is a single path segment other than `.` and `..`. */
export function isPlainName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name);
}

function undefinedIfMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function fail(message: string): never {
  throw new Error(message);
}
