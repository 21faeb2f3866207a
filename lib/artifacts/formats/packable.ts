/** The files and folders to pack, one after the other. Links are not followed. */
// Not by their `mod.ts`: this is loaded in front of user commands.
import { Folder, MAX_DEPTH } from "@tiphys/base/confined/folder";
import type { Handle } from "@tiphys/base/confined/handle";

/** A file, folder or link to pack. It is valid until the next one is requested. */
export type Packable = PackableFile | PackableFolder | PackableLink;

interface NamedEntry {
  /** Its name in the archive. */
  readonly name: string;
  readonly info: Deno.FileInfo;
}

/** A file, opened by its path. */
export interface PackableFile extends NamedEntry {
  readonly kind: "file";
  readonly path: string;
}

/** A folder. Its entries follow. */
export interface PackableFolder extends NamedEntry {
  readonly kind: "folder";
}

/** A link. */
export interface PackableLink extends NamedEntry {
  readonly kind: "link";
  readonly target: string;
}

/** The options of packing. */
export interface PackOptions {
  /** The compression level, from 0 (none) to 9 (best). */
  readonly level?: number;
  /** Receives warnings about omitted entries. */
  readonly warn?: (line: string) => void;
}

/**
 * Yields the entries of an archive: the file or folder under the name `name`, and everything below it in order of
 * names. Pipes, sockets and devices are omitted.
 */
export function* listEntries(source: Handle, name: string, { warn }: PackOptions = {}, depth = 0): Generator<Packable> {
  const info = source.info();
  if (info.isFile) yield { kind: "file", name, info, path: source.path };
  else if (!info.isDirectory) warn?.(`${name} is a pipe, socket or device, which is not packed`);
  if (!info.isDirectory) return;
  if (depth > MAX_DEPTH) throw new Error(`${name.slice(0, 200)}… is nested more than ${MAX_DEPTH} folders deep`);
  yield { kind: "folder", name, info };
  using folder = Folder.open(source.path);
  for (const child of folder.names()) {
    using held = folder.openEntry(child);
    const own = `${name}/${child}`;
    if (!held) {
      if (child.includes("\ufffd")) throw new Error(`${own} has a name that is not UTF-8, and cannot be packed`);
      continue; // Deleted meanwhile.
    }
    const childInfo = held.info();
    if (!childInfo.isSymlink) yield* listEntries(held, own, { warn }, depth + 1);
    else {
      const target = folder.readLink(child);
      if (target !== undefined) yield { kind: "link", name: own, info: childInfo, target };
    }
  }
}

/** Maximum number of bytes per read of a file. */
const READ_BYTES = 65_536;

/**
 * Yields the content of a file: exactly the number of bytes of its recorded size. Each part is overwritten by the next.
 * @throws {Error} when the file has become shorter.
 */
export function* readExactContent({ path, name, info: { size } }: PackableFile): Generator<Uint8Array<ArrayBuffer>> {
  using file = Deno.openSync(path);
  const buffer = new Uint8Array(Math.min(size, READ_BYTES));
  for (let left = size; left > 0;) {
    const read = file.readSync(left < buffer.length ? buffer.subarray(0, left) : buffer);
    if (read === null) throw new Error(`${name} became shorter while it was read`);
    left -= read;
    yield buffer.subarray(0, read);
  }
}
