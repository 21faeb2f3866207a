/** Resolves paths below a folder through handles. */
import type { Folder } from "./folder.ts";
import type { Handle } from "./handle.ts";

/** Maximum number of links that are followed for one path, as in Linux. */
export const MAX_LINKS = 40;

/** Maximum length of the unresolved rest of a path, in characters: links to links could otherwise grow it. */
const MAX_REST_LENGTH = 16_384;

/** The error for a path that leaves its folder or cannot be resolved under the options. */
export class OutsideError extends Error {
  override readonly name = "OutsideError";
}

/** The options of a walk. */
export interface ResolveOptions {
  /**
   * `refuse`: a link ends the walk with an {@link OutsideError}. `follow`: a link is resolved as if the folder were
   * `/`, so that absolute targets and `..` stay inside.
   */
  readonly links: "refuse" | "follow";
  /** Whether a link in the last segment is treated like others. By default, the link itself is the result. */
  readonly last?: boolean;
  /** The mode of missing folders, which are then created. By default, they are not created. */
  readonly make?: number;
  /** With `make`: replaces an entry that is neither a folder nor a link with a folder. */
  readonly replace?: boolean;
}

/** The location of an entry. Its folder stays open until this is disposed of. */
export interface EntryLocation extends Disposable {
  /** The folder that contains the entry; undefined when a folder above it does not exist. */
  readonly parent: Folder | undefined;
  /** The segments of the path below the root, with links resolved; empty for the root itself. */
  readonly parts: readonly string[];
  /** The last segment; empty for the root itself. */
  readonly name: string;
  /** Whether a link was followed. */
  readonly isThroughLink: boolean;
  /** Opens a handle to the current entry; undefined when it does not exist. */
  hold(): Handle | undefined;
}

/**
 * Resolves a path below a folder.
 * @throws {OutsideError} for a link that may not be followed, for too many links, and for a segment that is not a
 * folder.
 */
export function resolveEntry(root: Folder, path: string, options: ResolveOptions): EntryLocation {
  const way = new FolderPath(root);
  try {
    return resolveSegments(way, path, options);
  } catch (error) {
    way[Symbol.dispose]();
    throw error;
  }
}

function resolveSegments(
  way: FolderPath,
  path: string,
  { links, last = false, make, replace = false }: ResolveOptions,
): EntryLocation {
  let followed = 0;
  let rest = segmentsOf(path);
  while (rest.length > 0) {
    const name = rest.shift()!;
    if (name === "..") {
      if (links === "refuse") throw new OutsideError(`${path} goes up`);
      way.leave();
      continue;
    }
    const isLast = rest.length === 0;
    if (isLast && !last) return way.locationOf(name, followed > 0);
    const link = isLast ? way.linkAt(name) : way.enter(name, make, replace);
    if (link === undefined) {
      if (isLast) return way.locationOf(name, followed > 0);
      continue;
    }
    if (links === "refuse") throw new OutsideError(`${[...way.parts, name].join("/")} is a link`);
    rest = [...segmentsOf(link), ...rest];
    if (++followed > MAX_LINKS || rest.join("/").length > MAX_REST_LENGTH) {
      throw new OutsideError(`too many links on the way to ${path}`);
    }
    if (link.startsWith("/")) way.returnToRoot();
  }
  return way.currentLocation(followed > 0);
}

/** The open folders of a path, so that `..` returns to the previous one. */
class FolderPath implements Disposable {
  readonly parts: string[] = [];
  readonly #folders: Folder[];
  /** The number of trailing folders in `parts` that do not exist. */
  #missing = 0;

  constructor(root: Folder) {
    this.#folders = [root.reopen()];
  }

  /** Enters a folder. Returns the target when the entry is a link instead. */
  enter(name: string, make: number | undefined, replace: boolean): string | undefined {
    if (this.#missing === 0) {
      const folder = this.#folders.at(-1)!;
      let next: Folder | undefined;
      try {
        next = folder.openFolder(name);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotADirectory)) throw error;
        const target = this.linkAt(name);
        if (target !== undefined) return target;
        if (!replace) throw new OutsideError(`${[...this.parts, name].join("/")} is not a folder`, { cause: error });
        folder.remove(name);
      }
      if (!next && make !== undefined) next = folder.ensureFolder(name, make);
      if (next) this.#folders.push(next);
      else this.#missing++;
    } else this.#missing++;
    this.parts.push(name);
    return undefined;
  }

  leave(): void {
    if (this.parts.pop() === undefined) return; // `/..` is `/`.
    if (this.#missing > 0) this.#missing--;
    else this.#folders.pop()![Symbol.dispose]();
  }

  /** Returns to the root. */
  returnToRoot(): void {
    while (this.parts.length > 0) this.leave();
  }

  /** Returns the target of a link; undefined for any other or missing entry. */
  linkAt(name: string): string | undefined {
    const folder = this.#missing > 0 ? undefined : this.#folders.at(-1);
    return folder?.stat(name)?.isSymlink ? folder.readLink(name) : undefined;
  }

  locationOf(name: string, isThroughLink: boolean): EntryLocation {
    const parent = this.#missing > 0 ? undefined : this.#folders.at(-1)!;
    return {
      parent,
      parts: [...this.parts, name],
      name,
      isThroughLink,
      hold: () => parent?.openEntry(name),
      [Symbol.dispose]: () => this[Symbol.dispose](),
    };
  }

  /** Returns the result of a path that ends with `..` or is empty. */
  currentLocation(isThroughLink: boolean): EntryLocation {
    const name = this.parts.at(-1);
    if (name !== undefined) {
      this.leave();
      return this.locationOf(name, isThroughLink);
    }
    const [root] = this.#folders;
    if (root === undefined) throw new Error("The path was disposed of before it was resolved");
    const hold = () => root.reopen();
    return { parent: root, parts: [], name: "", isThroughLink, hold, [Symbol.dispose]: () => this[Symbol.dispose]() };
  }

  [Symbol.dispose](): void {
    for (const folder of this.#folders.splice(0)) folder[Symbol.dispose]();
  }
}

/** Splits a path into its segments, without empty ones and `.`. */
export function segmentsOf(path: string): string[] {
  return path.split("/").filter((word) => word !== "" && word !== ".");
}
