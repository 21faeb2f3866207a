/** A driver for a tree that was fetched into a folder. */
import { type ContentInfo, type Driver, type Item, type Place, StoreError } from "@tiphys/model/artifact";
import { sourceOf } from "@tiphys/artifacts/transfer/save";
import { Folder, openFile, OutsideError, resolveEntry } from "@tiphys/base/confined";

/** The folder of git's own data, which is not served. */
const GIT_FOLDER = ".git";

/** Reads a tree in a folder. Links cannot lead out of it, and the `.git` folder is hidden. */
export class TreeReader implements Driver {
  readonly can = { save: false, folders: true, list: true, remove: false };

  constructor(readonly path: string) {}

  find({ key }: Place): Promise<ContentInfo> {
    return this.#withEntry(key, (held) => {
      const { isFile, isDirectory, size } = held.info();
      if (isDirectory) return { kind: "folder" };
      if (isFile) return { kind: "file", size };
      throw missingError(key);
    });
  }

  read({ key }: Place, { from = 0, to = Infinity }: { from?: number; to?: number }) {
    return this.#withEntry(key, (held) => {
      using file = openFile(held, key);
      const { size } = file.statSync();
      return sourceOf(held, size, key).open(from, Math.min(to, size));
    });
  }

  async *list({ key }: Place): AsyncGenerator<Item> {
    using root = await this.#withEntry(key, (held) => Folder.open(held.path));
    yield* itemsOf(root, "");
  }

  write(): Promise<ContentInfo> {
    return Promise.reject(new StoreError("a fetched tree is read-only", "final"));
  }

  remove(): Promise<{ readonly removed: number }> {
    return Promise.reject(new StoreError("a fetched tree is read-only", "final"));
  }

  // deno-lint-ignore require-await
  async #withEntry<T>(key: string, use: (held: NonNullable<ReturnType<Folder["openEntry"]>>) => T): Promise<T> {
    using root = Folder.open(this.path);
    try {
      using way = resolveEntry(root, key, { links: "follow", last: true });
      using held = way.parts.length === 0 ? root.reopen() : way.hold();
      if (held && !way.parts.includes(GIT_FOLDER)) return use(held);
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
    }
    throw missingError(key);
  }
}

function missingError(key: string): StoreError {
  return new StoreError(`the tree has no ${key}`, "missing");
}

/** Lists the files below a folder in order of name. Links are skipped; a link can only be read by its own path. */
function* itemsOf(folder: Folder, above: string): Generator<Item> {
  const names = folder.names().filter((name) => name !== GIT_FOLDER);
  if (names.length === 0 && above !== "") yield { name: above, size: 0 };
  for (const name of names) {
    const info = folder.stat(name);
    if (info?.isDirectory) {
      using inner = folder.openFolder(name);
      if (inner) yield* itemsOf(inner, `${above}${name}/`);
    } else if (info?.isFile) yield { name: `${above}${name}`, size: info.size };
  }
}
