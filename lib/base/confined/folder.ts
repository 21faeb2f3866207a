import { Held } from "./held.ts";

/** The most folders above something in an archive, read or written. */
export const DEEPEST = 512;

/** A folder that is held. Whoever replaces it meanwhile does not change where its entries are. */
export class Folder extends Held {
  /**
   * Holds the folder at a path whose parts nobody else can change: links on the way are followed.
   * @throws {Deno.errors.NotFound} when there is none, {@link Deno.errors.NotADirectory} for anything else.
   */
  static override open(path: string): Folder {
    return Folder.#of(Held.open(path, { folder: true, follow: true }));
  }

  static #of(held: Held): Folder {
    return new Folder(held.path, Held.descriptorOf(held));
  }

  /**
   * The path of an entry, for calls that do not follow a link at its end: `lstat`, `readLink`, `mkdir`, `symlink`,
   * `rename`, `remove`, `link`, and `open` with `createNew`.
   * @throws {TypeError} for what is no plain name.
   */
  at(name: string): string {
    if (!isPlainName(name)) throw new TypeError(`Expected the name of an entry, got ${JSON.stringify(name)}`);
    return `${this.path}/${name}`;
  }

  /** Holds an entry, whatever it is, a link included; undefined when there is none. */
  hold(name: string): Held | undefined {
    return unlessMissing(() => Held.open(this.at(name)));
  }

  /**
   * Holds a folder in it; undefined when there is none.
   * @throws {Deno.errors.NotADirectory} for anything else, a link to a folder included.
   */
  folder(name: string): Folder | undefined {
    return unlessMissing(() => Folder.#of(Held.open(this.at(name), { folder: true })));
  }

  /** Makes a folder in it and holds that. */
  makeFolder(name: string, mode = 0o777): Folder {
    Deno.mkdirSync(this.at(name), { mode });
    return this.folder(name) ?? fail(`${name} was taken away by somebody else`);
  }

  /**
   * Holds a folder in it, which is made where there is none, also when somebody else makes it at the same moment.
   * @throws {Deno.errors.NotADirectory} for anything else that is there, a link to a folder included.
   */
  ensureFolder(name: string, mode = 0o777): Folder {
    try {
      Deno.mkdirSync(this.at(name), { mode });
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
    return this.folder(name) ?? fail(`${name} was taken away by somebody else`);
  }

  /** Makes a file in it and holds that, to be opened for writing by its path. */
  create(name: string, mode = 0o666): Held {
    return Held.create(this.at(name), mode);
  }

  /**
   * Makes a file in it, open for writing, of the mode that the umask leaves, which may forbid writing.
   * @throws {Deno.errors.AlreadyExists} when something is there, were it a link that leads nowhere.
   */
  createOpen(name: string, mode = 0o666): Deno.FsFile {
    return Deno.openSync(this.at(name), { write: true, createNew: true, mode });
  }

  /** The information about an entry, a link not followed; undefined when there is none. */
  look(name: string): Deno.FileInfo | undefined {
    return unlessMissing(() => Deno.lstatSync(this.at(name)));
  }

  /** The target of a link; undefined when it is none, or none any more. */
  readLink(name: string): string | undefined {
    const path = this.at(name);
    try {
      return Deno.readLinkSync(path);
    } catch {
      return undefined;
    }
  }

  /** Takes an entry away with all below it; nothing happens when there is none. No link is followed. */
  remove(name: string): void {
    const path = this.at(name);
    unlessMissing(() => Deno.removeSync(path, { recursive: true }));
  }

  /** The names of its entries, sorted. */
  names(): string[] {
    return [...Deno.readDirSync(this.path)].map(({ name }) => name).sort();
  }

  /** Another handle of the same folder. */
  again(): Folder {
    return Folder.open(this.path);
  }
}

/** Whether a word names an entry of a folder, and leads nowhere else. */
export function isPlainName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name);
}

function unlessMissing<T>(act: () => T): T | undefined {
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
