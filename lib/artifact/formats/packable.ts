/** The files and folders that go into an archive, one after the other, no link followed. */
// Not by their `mod.ts`: this is loaded in front of user commands.
import { DEEPEST, Folder } from "../../confined/folder.ts";
import type { Held } from "../../confined/held.ts";

/** Something that travels. It is held until the next one is asked for. */
export type Packable = PackableFile | PackableFolder | PackableLink;

interface Named {
  /** Its name in the archive. */
  readonly name: string;
  readonly info: Deno.FileInfo;
}

/** A file, to be opened by its path. */
export interface PackableFile extends Named {
  readonly kind: "file";
  readonly path: string;
}

/** A folder; what lies in it follows. */
export interface PackableFolder extends Named {
  readonly kind: "folder";
}

/** A link. */
export interface PackableLink extends Named {
  readonly kind: "link";
  readonly target: string;
}

/** The options of packing. */
export interface PackOptions {
  /** The level of compression, from 0 (none) to 9 (best). */
  readonly level?: number;
  /** Told of entries that stay behind. */
  readonly warn?: (line: string) => void;
}

/**
 * The entries of an archive: the held file or folder under the name `name`, and everything below it in the order of
 * names. Pipes, sockets and devices are left out.
 */
export function* packable(source: Held, name: string, { warn }: PackOptions = {}, depth = 0): Generator<Packable> {
  const info = source.info();
  if (info.isFile) yield { kind: "file", name, info, path: source.path };
  else if (!info.isDirectory) warn?.(`${name} is a pipe, socket or device, which is not packed`);
  if (!info.isDirectory) return;
  if (depth > DEEPEST) throw new Error(`${name.slice(0, 200)}… lies below more than ${DEEPEST} folders`);
  yield { kind: "folder", name, info };
  using folder = Folder.open(source.path);
  for (const child of folder.names()) {
    using held = folder.hold(child);
    const own = `${name}/${child}`;
    if (!held) {
      if (child.includes("\ufffd")) throw new Error(`${own} has a name that is not UTF-8, and cannot be packed`);
      continue; // Taken away meanwhile.
    }
    const childInfo = held.info();
    if (!childInfo.isSymlink) yield* packable(held, own, { warn }, depth + 1);
    else {
      const target = folder.readLink(child);
      if (target !== undefined) yield { kind: "link", name: own, info: childInfo, target };
    }
  }
}

/** The most bytes of a file that are read at once. */
const READ_BYTES = 65_536;

/**
 * The content of a file: exactly as many bytes as it had when it was looked at. Each part is overwritten by the next.
 * @throws {Error} when it became shorter.
 */
export function* contentOf({ path, name, info: { size } }: PackableFile): Generator<Uint8Array<ArrayBuffer>> {
  using file = Deno.openSync(path);
  const buffer = new Uint8Array(Math.min(size, READ_BYTES));
  for (let left = size; left > 0;) {
    const read = file.readSync(left < buffer.length ? buffer.subarray(0, left) : buffer);
    if (read === null) throw new Error(`${name} became shorter while it was read`);
    left -= read;
    yield buffer.subarray(0, read);
  }
}
