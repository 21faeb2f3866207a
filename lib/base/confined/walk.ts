/** The way from a folder to a path below it, one held folder after the other. */
import type { Folder } from "./folder.ts";
import type { Held } from "./held.ts";

/** The most links that are followed on one way, as by Linux itself. */
export const MOST_LINKS = 40;

/** The longest rest of a way, in characters: links that lead to links may not make it grow beyond this. */
const LONGEST_WAY = 16_384;

/** A way that does not stay below its folder, or may not be taken. */
export class OutsideError extends Error {
  override readonly name = "OutsideError";
}

/** The options of a walk. */
export interface WalkOptions {
  /**
   * The treatment of a link on the way: `refuse` ends the walk with an {@link OutsideError}; `follow` reads it as if
   * the folder were `/`, so that no link leads out, absolute ones and `..` included.
   */
  readonly links: "refuse" | "follow";
  /** Whether a link at the very end is treated like those on the way. Without, it is what was found. */
  readonly last?: boolean;
  /** Mode of the folders that are made where there are none; none are made without. */
  readonly make?: number;
  /** With `make`: an entry that is neither folder nor link gives way to a folder. */
  readonly replace?: boolean;
}

/** The end of a walk. The folder is held until this is disposed of. */
export interface Found extends Disposable {
  /** The folder that holds it; undefined when a folder on the way is not there. */
  readonly parent: Folder | undefined;
  /** The parts of its path below the root, links resolved; empty for the root itself. */
  readonly parts: readonly string[];
  /** The last of them; empty for the root itself. */
  readonly name: string;
  /** Whether a link was followed. */
  readonly byLink: boolean;
  /** Holds what is there now; undefined when nothing is. */
  hold(): Held | undefined;
}

/**
 * Goes from a folder to a path below it, one held folder after the other.
 * @throws {OutsideError} by a link that may not be followed, by too many of them, and where something that is no folder
 *   stands in the way.
 */
export function walk(root: Folder, path: string, options: WalkOptions): Found {
  const way = new Way(root);
  try {
    return take(way, path, options);
  } catch (error) {
    way[Symbol.dispose]();
    throw error;
  }
}

function take(way: Way, path: string, { links, last = false, make, replace = false }: WalkOptions): Found {
  let followed = 0;
  let rest = words(path);
  while (rest.length > 0) {
    const name = rest.shift()!;
    if (name === "..") {
      if (links === "refuse") throw new OutsideError(`${path} goes up`);
      way.up();
      continue;
    }
    const isLast = rest.length === 0;
    if (isLast && !last) return way.end(name, followed > 0);
    const link = isLast ? way.linkAt(name) : way.down(name, make, replace);
    if (link === undefined) {
      if (isLast) return way.end(name, followed > 0);
      continue;
    }
    if (links === "refuse") throw new OutsideError(`${[...way.parts, name].join("/")} is a link`);
    rest = [...words(link), ...rest];
    if (++followed > MOST_LINKS || rest.join("/").length > LONGEST_WAY) {
      throw new OutsideError(`too many links on the way to ${path}`);
    }
    if (link.startsWith("/")) way.start();
  }
  return way.endHere(followed > 0);
}

/** The folders of a way, each held, so that `..` leads back to where it came from. */
class Way implements Disposable {
  readonly parts: string[] = [];
  readonly #held: Folder[];
  /** The number of folders at the end of `parts` that are not there. */
  #missing = 0;

  constructor(root: Folder) {
    this.#held = [root.again()];
  }

  /** Goes into a folder; the answer is a link's target where one stands there instead. */
  down(name: string, make: number | undefined, replace: boolean): string | undefined {
    if (this.#missing === 0) {
      const folder = this.#held.at(-1)!;
      let next: Folder | undefined;
      try {
        next = folder.folder(name);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotADirectory)) throw error;
        const target = this.linkAt(name);
        if (target !== undefined) return target;
        if (!replace) throw new OutsideError(`${[...this.parts, name].join("/")} is no folder`, { cause: error });
        folder.remove(name);
      }
      if (!next && make !== undefined) next = folder.ensureFolder(name, make);
      if (next) this.#held.push(next);
      else this.#missing++;
    } else this.#missing++;
    this.parts.push(name);
    return undefined;
  }

  up(): void {
    if (this.parts.pop() === undefined) return; // `/..` is `/`.
    if (this.#missing > 0) this.#missing--;
    else this.#held.pop()![Symbol.dispose]();
  }

  /** Back to the root. */
  start(): void {
    while (this.parts.length > 0) this.up();
  }

  /** The target of a link; undefined when there is something else, or nothing. */
  linkAt(name: string): string | undefined {
    const folder = this.#missing > 0 ? undefined : this.#held.at(-1);
    return folder?.look(name)?.isSymlink ? folder.readLink(name) : undefined;
  }

  end(name: string, byLink: boolean): Found {
    const parent = this.#missing > 0 ? undefined : this.#held.at(-1)!;
    return {
      parent,
      parts: [...this.parts, name],
      name,
      byLink,
      hold: () => parent?.hold(name),
      [Symbol.dispose]: () => this[Symbol.dispose](),
    };
  }

  /** The end of a way that ended by going up, or did not begin. */
  endHere(byLink: boolean): Found {
    const name = this.parts.at(-1);
    if (name !== undefined) {
      this.up();
      return this.end(name, byLink);
    }
    const [root] = this.#held;
    if (root === undefined) throw new Error("The way was left before it ended");
    const hold = () => root.again();
    return { parent: root, parts: [], name: "", byLink, hold, [Symbol.dispose]: () => this[Symbol.dispose]() };
  }

  [Symbol.dispose](): void {
    for (const folder of this.#held.splice(0)) folder[Symbol.dispose]();
  }
}

/** The parts of a path that say something. */
export function words(path: string): string[] {
  return path.split("/").filter((word) => word !== "" && word !== ".");
}
