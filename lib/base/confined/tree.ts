/** Making files, folders and links below a folder, as an archive says, which may come from anybody. */
import { DEEPEST, type Folder } from "./folder.ts";
import type { Held } from "./held.ts";
import { Counted, type TreeLimits, UnpackedTooMuchError } from "./limits.ts";
import { PathMap, type PathNode } from "./path_map.ts";
import { type Found, MOST_LINKS, OutsideError, walk, words } from "./walk.ts";

/** The longest name of an entry, bytes. */
const LONGEST_NAME = 4096;

/** The longest target that a link of Linux can have, bytes. */
const LONGEST_TARGET = 4095;

/** The most parts of paths that are remembered of folders that forbid writing: their rights are set at the end. */
const MOST_CLOSED_PARTS = 1_000_000;

/** The most characters that are remembered of links whose end is not known yet. */
const MOST_DOUBTFUL_CHARACTERS = 8 * 1024 * 1024;

const encoder = new TextEncoder();

/** The limits of an archive, and the rules for its kind. */
export interface TreeOptions {
  readonly limits: TreeLimits;
  /**
   * `artifact`: nothing goes through a link, no link leads outside, a folder and a file of one name are a mistake, and
   * modes have no set-uid, set-gid or sticky bits. `image`: links are read as if the folder were `/`, and what comes
   * later takes the place of what was there.
   */
  readonly kind: "artifact" | "image";
}

/** A folder that is being filled. Names and targets are those of an archive; whatever is refused, nothing was made of it. */
export class Tree implements Disposable {
  readonly root: Folder;
  readonly #counted: Counted;
  readonly #isImage: boolean;
  readonly #umask = Deno.build.os === "windows" ? 0 : Deno.umask();
  /** Modes with which nothing more could be written into a folder, by its path; those wait for the end. */
  readonly #closedFolders = new PathMap<number>();
  /** Links that go up behind a name, which may be a link itself: where they lead is known at the end. */
  readonly #doubtful = new Map<string, string>();
  #doubtfulCharacters = 0;
  /** The folders to the entry before: most entries lie beside it. */
  #way: { readonly names: readonly string[]; readonly folders: readonly Folder[] } = { names: [], folders: [] };

  constructor(root: Folder, { limits, kind }: TreeOptions) {
    this.root = root.again();
    this.#counted = new Counted(limits);
    this.#isImage = kind === "image";
  }

  [Symbol.dispose](): void {
    this.#leaveFrom(0);
    this.root[Symbol.dispose]();
  }

  /**
   * The place of an entry, its folders made; undefined for the root itself.
   * @throws {OutsideError} when it would lie outside.
   */
  place(name: string): Found | undefined {
    this.#counted.entry();
    const parts = this.#checkName(name);
    if (parts.length === 0) return undefined;
    if (!this.#isImage) return this.#placeBeside(name, parts);
    const found = walk(this.root, name, { links: "follow", make: 0o755, replace: true });
    if (found.parts.length > 0) return found;
    found[Symbol.dispose]();
    return undefined;
  }

  /** Makes a folder, or gives one its mode that is there. */
  folder({ parent, name, parts }: Found, mode: number): void {
    const path = parts.join("/");
    let folder = this.#folderAt(parent!, name, path);
    if (!folder) {
      this.#clear(parent!, name, parts);
      folder = parent!.makeFolder(name, 0o700);
    }
    using made = folder;
    const kept = this.#isImage ? mode & 0o7777 : mode & 0o777;
    if ((kept & 0o700) === 0o700) {
      this.#closedFolders.unset(parts);
      Deno.chmodSync(made.path, kept);
    } else {
      Deno.chmodSync(made.path, kept | 0o700);
      this.#closedFolders.set(parts, kept);
      if (this.#closedFolders.parts > MOST_CLOSED_PARTS) throw tooMuchToRemember("folders that forbid writing");
    }
  }

  /** Makes a file of what comes; `packed` tells how much was read of the archive so far. */
  async file(found: Found, { mode, mtime, content, packed, settle }: FileEntry): Promise<void> {
    const wanted = this.#isImage ? mode & 0o7777 : mode & 0o777;
    // A mode that the umask leaves as it is need not be set afterwards.
    const isPlain = !settle && (wanted & (this.#umask | 0o7000)) === 0;
    using made = isPlain ? undefined : this.#inRoom(found, (folder, name) => folder.create(name, 0o600));
    using file = made
      ? Deno.openSync(made.path, { write: true })
      : this.#inRoom(found, (folder, name) => folder.createOpen(name, wanted));
    let hole = 0;
    for await (const part of content) {
      if (typeof part === "number") {
        file.seekSync(part, Deno.SeekMode.Current);
        hole = part;
        continue;
      }
      hole = 0;
      this.#counted.add(part.length, packed?.());
      for (let done = 0; done < part.length;) done += file.writeSync(part.subarray(done));
    }
    if (hole > 0) file.truncateSync(file.seekSync(0, Deno.SeekMode.Current));
    if (made) {
      settle?.(made);
      Deno.chmodSync(made.path, wanted);
    }
    if (mtime !== undefined) file.utimeSync(mtime, mtime);
  }

  /**
   * Makes a link.
   * @throws {OutsideError} when it would lead outside of an artifact, whatever is there yet.
   */
  link({ parent, name, parts }: Found, target: string): void {
    const path = parts.join("/");
    if (!this.#isImage) this.#checkTarget(parts, target);
    if (target === "" || target.includes("\0") || encoder.encode(target).length > LONGEST_TARGET) {
      throw new OutsideError(`illegal symlink target in archive: ${path} -> ${shortened(target)}`);
    }
    this.#clear(parent!, name, parts);
    Deno.symlinkSync(target, parent!.at(name));
    if (this.#isImage || !goesUpBehindName(target)) return;
    this.#doubtful.set(path, target);
    this.#doubtfulCharacters += path.length + target.length;
    if (this.#doubtfulCharacters > MOST_DOUBTFUL_CHARACTERS) throw tooMuchToRemember("links that go up behind a name");
  }

  /** Gives a file of the tree another name. */
  hardLink({ parent, name, parts }: Found, target: string): void {
    const path = parts.join("/");
    this.#checkName(target);
    using source = walk(this.root, target, { links: this.#isImage ? "follow" : "refuse" });
    if (source.parent && source.parts.join("/") === path) return;
    const info = source.parent && source.name !== "" ? source.parent.look(source.name) : undefined;
    const isLinkable = info?.isFile === true || (this.#isImage && info?.isSymlink === true);
    if (!isLinkable) throw new OutsideError(`illegal symlink target in archive: ${path} -> ${shortened(target)}`);
    this.#clear(parent!, name, parts);
    Deno.linkSync(source.parent!.at(source.name), parent!.at(name));
  }

  /** Takes away what was there. */
  remove({ parent, name, parts }: Found): void {
    this.#forget(parts);
    parent!.remove(name);
  }

  /**
   * Gives folders the modes that would have been in the way, the deepest first.
   * @throws {OutsideError} when a link leads outside after all, through others of the same archive.
   */
  finish(): void {
    for (const [path, target] of this.#doubtful) {
      if (leadsOut(this.root, path)) throw new OutsideError(`illegal symlink target in archive: ${path} -> ${target}`);
    }
    closeFolders(this.root, this.#closedFolders.root);
  }

  /** The parts of an entry's name, which may be one. */
  #checkName(name: string): string[] {
    const parts = words(name);
    const isLegal = !name.includes("\0") && encoder.encode(name).length <= LONGEST_NAME && parts.length <= DEEPEST &&
      (this.#isImage || (!name.startsWith("/") && !parts.includes("..")));
    if (!isLegal) throw new OutsideError(`illegal file path in archive: ${shortened(name)}`);
    return parts;
  }

  /** Goes on from the entry before: only folders that are not the same are opened. */
  #placeBeside(entry: string, parts: readonly string[]): Found {
    const above = parts.slice(0, -1);
    const name = parts.at(-1)!;
    const known = this.#way.names;
    let same = 0;
    while (same < above.length && same < known.length && above[same] === known[same]) same++;
    this.#leaveFrom(same);
    const folders = [...this.#way.folders];
    try {
      for (const next of above.slice(same)) {
        const from = folders.at(-1) ?? this.root;
        folders.push(from.folder(next) ?? from.makeFolder(next, 0o755));
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotADirectory)) throw error;
      throw new OutsideError(`illegal file path in archive: ${shortened(entry)} leads through what is no folder`, {
        cause: error,
      });
    } finally {
      this.#way = { names: above.slice(0, folders.length), folders };
    }
    const parent = folders.at(-1) ?? this.root;
    const hold = () => parent.hold(name);
    return { parent, parts, name, byLink: false, hold, [Symbol.dispose]() {} };
  }

  #leaveFrom(depth: number): void {
    for (const folder of this.#way.folders.slice(depth)) folder[Symbol.dispose]();
    this.#way = { names: this.#way.names.slice(0, depth), folders: this.#way.folders.slice(0, depth) };
  }

  #folderAt(parent: Folder, name: string, path: string): Folder | undefined {
    try {
      return parent.folder(name);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotADirectory)) throw error;
      if (this.#isImage) return undefined;
      throw new OutsideError(`illegal file path in archive: ${shortened(path)} is no folder`, { cause: error });
    }
  }

  /** Makes an entry that must be new; what is there already is looked at only when it is in the way. */
  #inRoom<T>({ parent, name, parts }: Found, make: (folder: Folder, name: string) => T): T {
    try {
      return make(parent!, name);
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
    this.#clear(parent!, name, parts);
    return make(parent!, name);
  }

  /** Makes room for an entry: a file or link gives way, a folder in an image only. */
  #clear(parent: Folder, name: string, parts: readonly string[]): void {
    const info = parent.look(name);
    if (!info) return;
    if (info.isDirectory && !this.#isImage) {
      throw new OutsideError(
        `illegal file path in archive: ${shortened(parts.join("/"))} is a folder and something else`,
      );
    }
    this.#forget(parts);
    parent.remove(name);
  }

  /** Forgets all that is known of a path that is taken away. */
  #forget(parts: readonly string[]): void {
    this.#doubtful.delete(parts.join("/"));
    if (parts.every((part, depth) => this.#way.names[depth] === part)) this.#leaveFrom(parts.length - 1);
    this.#closedFolders.delete(parts);
  }

  #checkTarget(parts: readonly string[], target: string): void {
    let depth = parts.length - 1;
    let isInside = !target.startsWith("/");
    for (const word of words(target)) {
      depth += word === ".." ? -1 : 1;
      isInside &&= depth >= 0;
    }
    if (isInside) return;
    throw new OutsideError(`illegal symlink target in archive: ${parts.join("/")} -> ${shortened(target)}`);
  }
}

/** A file of an archive. */
export interface FileEntry {
  readonly mode: number;
  /** Seconds since 1970. */
  readonly mtime?: number;
  /** A number stands for a hole of so many bytes. */
  readonly content: AsyncIterable<Uint8Array | number> | Iterable<Uint8Array>;
  /** Bytes that were read of the archive so far. */
  readonly packed?: () => number;
  /** Does the rest of the work on the file before it gets its mode. */
  readonly settle?: (file: Held) => void;
}

/** Whether a target goes up again behind a name: then it depends on what that name is. */
function goesUpBehindName(target: string): boolean {
  const all = words(target);
  const first = all.findIndex((word) => word !== "..");
  return first >= 0 && all.includes("..", first);
}

/** Whether a link leads out of the folder, through whatever links of the folder it goes. */
function leadsOut(root: Folder, path: string): boolean {
  const parts: string[] = [];
  let rest = words(path);
  for (let followed = 0; rest.length > 0;) {
    const name = rest.shift()!;
    if (name === "..") {
      if (parts.pop() === undefined) return true;
      continue;
    }
    const target = linkIn(root, [...parts, name].join("/"));
    if (target === undefined) {
      parts.push(name);
      continue;
    }
    if (++followed > MOST_LINKS) return false; // It leads nowhere.
    rest = [...words(target), ...rest];
  }
  return false;
}

function linkIn(root: Folder, path: string): string | undefined {
  try {
    using found = walk(root, path, { links: "refuse" });
    return found.parent?.look(found.name)?.isSymlink ? found.parent.readLink(found.name) : undefined;
  } catch (error) {
    if (error instanceof OutsideError) return undefined; // Behind a file: it leads nowhere.
    throw error;
  }
}

function tooMuchToRemember(what: string): UnpackedTooMuchError {
  return new UnpackedTooMuchError(`the archive has too many ${what}: all of them must be looked at again at its end`);
}

/** Gives the folders below one the modes that forbid writing, what is deepest first. No link is followed. */
function closeFolders(folder: Folder, { below }: PathNode<number>): void {
  for (const [name, node] of below ?? []) {
    using inner = unlessNoFolder(folder, name);
    if (!inner) continue;
    closeFolders(inner, node);
    if (node.value !== undefined) Deno.chmodSync(inner.path, node.value);
  }
}

/** A folder that is there; undefined where another thing took its place. */
function unlessNoFolder(parent: Folder, name: string): Folder | undefined {
  try {
    return parent.folder(name);
  } catch (error) {
    if (error instanceof Deno.errors.NotADirectory) return undefined;
    throw error;
  }
}

function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}
