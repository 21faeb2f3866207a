/** Creates the files, folders and links of an untrusted archive below a folder. */
import { type Folder, MAX_DEPTH } from "./folder.ts";
import type { Handle } from "./handle.ts";
import { type TreeLimits, UnpackCounter, UnpackLimitError } from "./limits.ts";
import { PathMap, type PathNode } from "./path_map.ts";
import { type EntryLocation, MAX_LINKS, OutsideError, resolveEntry, segmentsOf } from "./walk.ts";

/** Maximum length of an entry's name, in bytes. */
const MAX_NAME_BYTES = 4096;

/** Maximum length of a link target on Linux, in bytes. */
const MAX_TARGET_BYTES = 4095;

/** Maximum number of path segments remembered for read-only folders, whose modes are set at the end. */
const MAX_READ_ONLY_SEGMENTS = 1_000_000;

/** Maximum number of characters remembered for links whose destination is checked at the end. */
const MAX_DEFERRED_LINK_CHARACTERS = 8 * 1024 * 1024;

const encoder = new TextEncoder();

/** The limits of an archive and the rules of its kind. */
export interface TreeOptions {
  readonly limits: TreeLimits;
  /**
   * `artifact`: no path leads through a link, no link leads outside, an entry cannot be both a folder and something
   * else, and set-uid, set-gid and sticky bits are dropped. `image`: links are resolved as if the folder were `/`, and
   * later entries replace earlier ones.
   */
  readonly kind: "artifact" | "image";
}

/**
 * A folder into which an archive is unpacked. Names and targets are those of the archive; a rejected entry leaves
 * nothing behind.
 */
export class Tree implements Disposable {
  readonly root: Folder;
  readonly #counter: UnpackCounter;
  readonly #isImage: boolean;
  readonly #umask = Deno.build.os === "windows" ? 0 : Deno.umask();
  /** Modes of folders that would prevent writing into them, by path; they are set at the end. */
  readonly #closedFolders = new PathMap<number>();
  /** Links whose target has `..` after a name, which may be a link too: their destination is checked at the end. */
  readonly #doubtful = new Map<string, string>();
  #doubtfulCharacters = 0;
  /** The open folders above the previous entry: the next entry is usually in the same folder. */
  #openPath: { readonly names: readonly string[]; readonly folders: readonly Folder[] } = { names: [], folders: [] };

  constructor(root: Folder, { limits, kind }: TreeOptions) {
    this.root = root.reopen();
    this.#counter = new UnpackCounter(limits);
    this.#isImage = kind === "image";
  }

  [Symbol.dispose](): void {
    this.#closeFrom(0);
    this.root[Symbol.dispose]();
  }

  /**
   * Resolves an entry and creates the folders above it; undefined for the root itself.
   * @throws {OutsideError} when the entry would be outside the root.
   */
  locate(name: string): EntryLocation | undefined {
    this.#counter.countEntry();
    const parts = this.#checkName(name);
    if (parts.length === 0) return undefined;
    if (!this.#isImage) return this.#locateFromPrevious(name, parts);
    const found = resolveEntry(this.root, name, { links: "follow", make: 0o755, replace: true });
    if (found.parts.length > 0) return found;
    found[Symbol.dispose]();
    return undefined;
  }

  /** Creates a folder, or sets the mode of an existing one. */
  folder({ parent, name, parts }: EntryLocation, mode: number): void {
    const path = parts.join("/");
    let folder = this.#folderAt(parent!, name, path);
    if (!folder) {
      this.#removeExisting(parent!, name, parts);
      folder = parent!.createFolder(name, 0o700);
    }
    using made = folder;
    const kept = this.#isImage ? mode & 0o7777 : mode & 0o777;
    if ((kept & 0o700) === 0o700) {
      this.#closedFolders.unset(parts);
      Deno.chmodSync(made.path, kept);
    } else {
      Deno.chmodSync(made.path, kept | 0o700);
      this.#closedFolders.set(parts, kept);
      if (this.#closedFolders.parts > MAX_READ_ONLY_SEGMENTS) throw tooManyDeferredError("read-only folders");
    }
  }

  /** Creates a file. `packed` returns the number of archive bytes read so far. */
  async file(location: EntryLocation, { mode, mtime, content, packed, settle }: FileEntry): Promise<void> {
    const wanted = this.#isImage ? mode & 0o7777 : mode & 0o777;
    // A mode that the umask does not change need not be set afterwards.
    const isPlain = !settle && (wanted & (this.#umask | 0o7000)) === 0;
    using made = isPlain ? undefined : this.#createNew(location, (folder, name) => folder.create(name, 0o600));
    using file = made
      ? Deno.openSync(made.path, { write: true })
      : this.#createNew(location, (folder, name) => folder.createAndOpen(name, wanted));
    let hole = 0;
    for await (const part of content) {
      if (typeof part === "number") {
        this.#counter.countHole(part);
        file.seekSync(part, Deno.SeekMode.Current);
        hole = part;
        continue;
      }
      hole = 0;
      this.#counter.countBytes(part.length, packed?.());
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
   * Creates a link.
   * @throws {OutsideError} when a link of an artifact would lead outside, whether or not its target exists yet.
   */
  link({ parent, name, parts }: EntryLocation, target: string): void {
    const path = parts.join("/");
    if (!this.#isImage) this.#checkTarget(parts, target);
    if (target === "" || target.includes("\0") || encoder.encode(target).length > MAX_TARGET_BYTES) {
      throw new OutsideError(`illegal symlink target in archive: ${path} -> ${shortened(target)}`);
    }
    this.#removeExisting(parent!, name, parts);
    Deno.symlinkSync(target, parent!.pathOf(name));
    if (this.#isImage || !hasParentAfterName(target)) return;
    this.#doubtful.set(path, target);
    this.#doubtfulCharacters += path.length + target.length;
    if (this.#doubtfulCharacters > MAX_DEFERRED_LINK_CHARACTERS) {
      throw tooManyDeferredError("links with .. after a name");
    }
  }

  /**
   * Creates a hard link to a file of the tree.
   * @throws {OutsideError} when the target is not a file of the tree, or is in the folder that the link replaces.
   */
  hardLink({ parent, name, parts }: EntryLocation, target: string): void {
    const path = parts.join("/");
    this.#checkName(target);
    using source = resolveEntry(this.root, target, { links: this.#isImage ? "follow" : "refuse" });
    if (source.parent && source.parts.join("/") === path) return;
    const info = source.parent && source.name !== "" ? source.parent.stat(source.name) : undefined;
    const isLinkable = info?.isFile === true || (this.#isImage && info?.isSymlink === true);
    const isReplaced = source.parts.join("/").startsWith(`${path}/`);
    if (!isLinkable || isReplaced) {
      throw new OutsideError(`illegal hard link target in archive: ${path} -> ${shortened(target)}`);
    }
    this.#removeExisting(parent!, name, parts);
    Deno.linkSync(source.parent!.pathOf(source.name), parent!.pathOf(name));
  }

  /**
   * Counts bytes of the archive that are skipped: reading them costs time, too. `packed` is the number of archive bytes
   * read so far.
   * @throws {UnpackLimitError} when a limit is exceeded.
   */
  countSkipped(bytes: number, packed: number): void {
    this.#counter.countBytes(bytes, packed);
  }

  /** Removes an entry with everything below it. */
  remove({ parent, name, parts }: EntryLocation): void {
    this.#forget(parts);
    parent!.remove(name);
  }

  /**
   * Sets the modes of read-only folders, the deepest first.
   * @throws {OutsideError} when a link leads outside through other links of the archive.
   */
  finish(): void {
    for (const [path, target] of this.#doubtful) {
      if (leadsOut(this.root, path)) throw new OutsideError(`illegal symlink target in archive: ${path} -> ${target}`);
    }
    setFolderModes(this.root, this.#closedFolders.root);
  }

  /** Splits the name of an entry into its segments. @throws {OutsideError} for an invalid name. */
  #checkName(name: string): string[] {
    const parts = segmentsOf(name);
    const isLegal = !name.includes("\0") && encoder.encode(name).length <= MAX_NAME_BYTES &&
      parts.length <= MAX_DEPTH &&
      (this.#isImage || (!name.startsWith("/") && !parts.includes("..")));
    if (!isLegal) throw new OutsideError(`illegal file path in archive: ${shortened(name)}`);
    return parts;
  }

  /** Resolves an entry starting from the previous one: only folders that differ are opened. */
  #locateFromPrevious(entry: string, parts: readonly string[]): EntryLocation {
    const above = parts.slice(0, -1);
    const name = parts.at(-1)!;
    const known = this.#openPath.names;
    let same = 0;
    while (same < above.length && same < known.length && above[same] === known[same]) same++;
    this.#closeFrom(same);
    const folders = [...this.#openPath.folders];
    try {
      for (const next of above.slice(same)) {
        const from = folders.at(-1) ?? this.root;
        folders.push(from.openFolder(next) ?? from.createFolder(next, 0o755));
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotADirectory)) throw error;
      throw new OutsideError(
        `illegal file path in archive: ${shortened(entry)} leads through an entry that is not a folder`,
        {
          cause: error,
        },
      );
    } finally {
      this.#openPath = { names: above.slice(0, folders.length), folders };
    }
    const parent = folders.at(-1) ?? this.root;
    const hold = () => parent.openEntry(name);
    return { parent, parts, name, isThroughLink: false, hold, [Symbol.dispose]() {} };
  }

  #closeFrom(depth: number): void {
    for (const folder of this.#openPath.folders.slice(depth)) folder[Symbol.dispose]();
    this.#openPath = { names: this.#openPath.names.slice(0, depth), folders: this.#openPath.folders.slice(0, depth) };
  }

  #folderAt(parent: Folder, name: string, path: string): Folder | undefined {
    try {
      return parent.openFolder(name);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotADirectory)) throw error;
      if (this.#isImage) return undefined;
      throw new OutsideError(`illegal file path in archive: ${shortened(path)} is not a folder`, { cause: error });
    }
  }

  /** Creates an entry that must be new; an existing one is checked only if creation fails. */
  #createNew<T>({ parent, name, parts }: EntryLocation, make: (folder: Folder, name: string) => T): T {
    try {
      return make(parent!, name);
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
    this.#removeExisting(parent!, name, parts);
    return make(parent!, name);
  }

  /** Removes an existing entry: a file or link, and in an image also a folder. */
  #removeExisting(parent: Folder, name: string, parts: readonly string[]): void {
    const info = parent.stat(name);
    if (!info) return;
    if (info.isDirectory && !this.#isImage) {
      throw new OutsideError(
        `illegal file path in archive: ${shortened(parts.join("/"))} is a folder and something else`,
      );
    }
    this.#forget(parts);
    parent.remove(name);
  }

  /** Forgets the state of a path that is removed. */
  #forget(parts: readonly string[]): void {
    this.#doubtful.delete(parts.join("/"));
    if (parts.every((part, depth) => this.#openPath.names[depth] === part)) this.#closeFrom(parts.length - 1);
    this.#closedFolders.delete(parts);
  }

  #checkTarget(parts: readonly string[], target: string): void {
    let depth = parts.length - 1;
    let isInside = !target.startsWith("/");
    for (const word of segmentsOf(target)) {
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
  /** A number is a hole of that many bytes. */
  readonly content: AsyncIterable<Uint8Array | number> | Iterable<Uint8Array>;
  /** Bytes that were read of the archive so far. */
  readonly packed?: () => number;
  /** Does the rest of the work on the file before it gets its mode. */
  readonly settle?: (file: Handle) => void;
}

/** Whether a target has `..` after a name: its destination then depends on whether that name is a link. */
function hasParentAfterName(target: string): boolean {
  const all = segmentsOf(target);
  const first = all.findIndex((word) => word !== "..");
  return first >= 0 && all.includes("..", first);
}

/** Whether a link leads out of the folder, following other links in it. */
function leadsOut(root: Folder, path: string): boolean {
  const parts: string[] = [];
  let rest = segmentsOf(path);
  for (let followed = 0; rest.length > 0;) {
    const name = rest.shift()!;
    if (name === "..") {
      if (parts.pop() === undefined) return true;
      continue;
    }
    const target = linkTargetIn(root, [...parts, name].join("/"));
    if (target === undefined) {
      parts.push(name);
      continue;
    }
    if (++followed > MAX_LINKS) return false; // It leads nowhere.
    rest = [...segmentsOf(target), ...rest];
  }
  return false;
}

function linkTargetIn(root: Folder, path: string): string | undefined {
  try {
    using found = resolveEntry(root, path, { links: "refuse" });
    return found.parent?.stat(found.name)?.isSymlink ? found.parent.readLink(found.name) : undefined;
  } catch (error) {
    if (error instanceof OutsideError) return undefined; // Behind a file: it leads nowhere.
    throw error;
  }
}

function tooManyDeferredError(subject: string): UnpackLimitError {
  return new UnpackLimitError(`the archive has too many ${subject}: they are checked again at its end`);
}

/** Sets the modes of read-only folders, the deepest first. Links are not followed. */
function setFolderModes(folder: Folder, { below }: PathNode<number>): void {
  for (const [name, node] of below ?? []) {
    using inner = openFolderIfAny(folder, name);
    if (!inner) continue;
    setFolderModes(inner, node);
    if (node.value !== undefined) Deno.chmodSync(inner.path, node.value);
  }
}

/** Opens a subfolder; undefined when another entry has replaced it. */
function openFolderIfAny(parent: Folder, name: string): Folder | undefined {
  try {
    return parent.openFolder(name);
  } catch (error) {
    if (error instanceof Deno.errors.NotADirectory) return undefined;
    throw error;
  }
}

function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}
