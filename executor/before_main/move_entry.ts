/** Moves of a file or folder between open folders, also across file systems. */
import { Folder } from "@tiphys/base/confined";

/** An entry of a folder. */
export interface Entry {
  readonly folder: Folder;
  readonly name: string;
}

/** Moves an entry. Links are kept as links, and modes are kept. The destination must not exist. */
export function moveEntry(from: Entry, to: Entry): void {
  try {
    Deno.renameSync(from.folder.pathOf(from.name), to.folder.pathOf(to.name));
  } catch (error) {
    if ((error as { code?: string }).code !== "EXDEV") throw error;
    try {
      copyEntry(from, to);
    } catch (error) {
      to.folder.remove(to.name);
      throw error;
    }
    from.folder.remove(from.name);
  }
}

/** Copies an entry, recursively. */
export function copyEntry(from: Entry, to: Entry): void {
  using held = from.folder.openEntry(from.name);
  if (!held) throw new Deno.errors.NotFound(`${from.name} was removed`);
  const { isSymlink, isDirectory, mode } = held.info();
  if (isSymlink) return Deno.symlinkSync(from.folder.readLink(from.name)!, to.folder.pathOf(to.name));
  if (isDirectory) {
    using source = Folder.open(held.path);
    using target = to.folder.createFolder(to.name, 0o700);
    for (const name of source.names()) copyEntry({ folder: source, name }, { folder: target, name });
    Deno.chmodSync(target.path, mode! & 0o777);
    return;
  }
  using made = to.folder.create(to.name, 0o600);
  using source = Deno.openSync(held.path);
  using target = Deno.openSync(made.path, { write: true });
  const part = new Uint8Array(1 << 16);
  for (let read = source.readSync(part); read !== null; read = source.readSync(part)) {
    for (let done = 0; done < read;) done += target.writeSync(part.subarray(done, read));
  }
  Deno.chmodSync(made.path, mode! & 0o777);
}
