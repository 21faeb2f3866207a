/**
 * Shared files as an auxiliary container reads and writes them. It has credentials that main does not have (a token,
 * the keys of artifact stores), and mounts the same volumes, so symbolic links in them are never followed.
 * Hard links need no check: a volume cannot contain a hard link to a file of another file system.
 */
import { type EntryLocation, Folder, openFile, OutsideError, readBounded, resolveEntry } from "@tiphys/base/confined";
import { PATH } from "@tiphys/base/constants";
import { ExecutorError } from "../failure.ts";
import { ignoreIfNotOwner, readTail, type SharedFiles, undefinedIfMissing } from "./shared_files.ts";
import { at, type World } from "../world.ts";

/**
 * The roots of the volumes that an auxiliary container shares with others. Only the container itself can change the
 * paths that lead to them.
 */
const SHARED_ROOTS = [PATH.varRunArgo, PATH.staging, PATH.sharedOutputs] as const;

/** Replaces the shared files of this world by an implementation that follows no links. */
export function confineSharedFiles(world: World): void {
  world.files = confinedFiles(world);
}

function confinedFiles(world: World): SharedFiles {
  const find = (file: string, make?: number): EntryLocation => {
    const path = SHARED_ROOTS.find((path) => file.startsWith(`${at(world, path)}/`));
    if (path === undefined) throw new ExecutorError(`${file} is not shared between the containers of the pod`);
    try {
      using root = Folder.open(at(world, path));
      return resolveEntry(root, file.slice(at(world, path).length), { links: "refuse", make });
    } catch (error) {
      throw error instanceof OutsideError ? foreignFileError(file, error) : error;
    }
  };
  const opened = (file: string, location: EntryLocation): Deno.FsFile | undefined => {
    using held = location.hold();
    return held && openFile(held, file);
  };
  const textOf = (file: string, location: EntryLocation, limit: number) => {
    using open = opened(file, location);
    return open && new TextDecoder("utf-8", { ignoreBOM: true }).decode(readBounded(open, limit, file));
  };
  return {
    read: (file, limit) =>
      undefinedIfMissing(() => {
        using found = find(file);
        return textOf(file, found, limit);
      }),
    tail: (file, limit) =>
      undefinedIfMissing(() => {
        using found = find(file);
        using open = opened(file, found);
        return open && readTail(open, limit);
      }),
    write(file, text, mode = 0o644) {
      using found = find(file);
      const folder = openParent(file, found);
      const temporary = `.${crypto.randomUUID()}.tmp`;
      using made = folder.create(temporary, 0o600);
      try {
        Deno.writeTextFileSync(made.path, text, { create: false });
        Deno.chmodSync(made.path, mode);
        Deno.renameSync(folder.pathOf(temporary), folder.pathOf(found.name));
      } catch (error) {
        folder.remove(temporary);
        throw error;
      }
    },
    makeFolder(folder) {
      using found = find(folder, 0o777);
      using made = openFolder(folder, found);
      ignoreIfNotOwner(() => Deno.chmodSync(made.path, 0o777));
    },
    remove(file) {
      undefinedIfMissing(() => {
        using found = find(file);
        found.parent?.remove(found.name);
      });
    },
    readAndRemove: (file, limit) =>
      undefinedIfMissing(() => {
        using found = find(file);
        if (!found.parent) return undefined;
        const name = `${found.name}.${crypto.randomUUID()}.taken`;
        Deno.renameSync(found.parent.pathOf(found.name), found.parent.pathOf(name));
        try {
          return textOf(file, { ...found, name, hold: () => found.parent!.openEntry(name) }, limit);
        } finally {
          found.parent.remove(name);
        }
      }),
    open: (file) =>
      undefinedIfMissing(() => {
        using found = find(file);
        using held = found.hold();
        if (!held) return undefined;
        using _ = openFile(held, file);
        return Deno.openSync(held.path, { write: true });
      }),
  };
}

function openParent(file: string, { parent }: EntryLocation): Folder {
  if (parent) return parent;
  throw new Deno.errors.NotFound(`${file} has no folder`);
}

function openFolder(path: string, { parent, name }: EntryLocation): Folder {
  try {
    return parent!.openFolder(name) ?? parent!.ensureFolder(name);
  } catch (error) {
    throw error instanceof Deno.errors.NotADirectory ? foreignFileError(path, error) : error;
  }
}

function foreignFileError(file: string, cause: Error): ExecutorError {
  return new ExecutorError(`a container of the pod blocked the path of ${file}: ${cause.message}`, {
    cause,
  });
}
