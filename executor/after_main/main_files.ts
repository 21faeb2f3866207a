/** Files that main left, as the auxiliary container reads them: only through paths that main itself could use. */
import { type EntryLocation, Folder, type Handle, OutsideError, resolveEntry } from "@tiphys/base/confined";
import { PATH } from "@tiphys/base/constants";
import { cleanPath, isWithin } from "@tiphys/model/pod";
import { describeError } from "../failure.ts";
import { isReadFromCopy, type PodTemplate, volumesOfMain } from "../pod/template.ts";
import { at, type World } from "../world.ts";

/** A file or folder that main left. */
export interface MainFile extends Disposable {
  readonly held: Handle;
  /** The folder that contains it, and its name there. */
  readonly parent: Folder;
  readonly name: string;
  /** Whether this is the copy that main's emissary made of a path in main's image. */
  readonly isCopy: boolean;
  /** Whether the path is a symbolic link to it. */
  readonly byLink: boolean;
}

/**
 * Finds a file or folder that main left at a path. If the path is in a volume of main, the mirror of the volumes is
 * searched, and links are followed as main would follow them. Otherwise it is the copy that main's emissary made:
 * `copies`, the path, and `suffix`. Returns undefined if there is nothing at the path.
 * @throws {Error} when a link leads outside of main's volumes, or the path is a pipe, socket or device.
 */
export function findMainFile(
  world: World,
  template: PodTemplate,
  path: string,
  { copies, suffix = "" }: { readonly copies: string; readonly suffix?: string },
): MainFile | undefined {
  const clean = cleanPath(path);
  const isCopy = isReadFromCopy(world, template, clean);
  const found = isCopy ? findCopy(world, copies, `${clean}${suffix}`) : findInVolumes(world, template, clean);
  const held = found?.hold();
  if (!held) {
    found?.[Symbol.dispose]();
    return undefined;
  }
  const info = held.info();
  if (!info.isFile && !info.isDirectory) {
    held[Symbol.dispose]();
    found![Symbol.dispose]();
    throw new Error(`Expected a file or a folder, got a pipe, socket, device or link: ${clean}`);
  }
  return {
    held,
    parent: found!.parent!,
    name: found!.name,
    isCopy,
    byLink: found!.isThroughLink,
    [Symbol.dispose]() {
      held[Symbol.dispose]();
      found![Symbol.dispose]();
    },
  };
}

/** Finds a copy that the emissary made. Main can write to that folder too, so links are refused. */
function findCopy(world: World, copies: string, path: string): EntryLocation | undefined {
  using root = openFolderIfExists(at(world, PATH.varRunArgo));
  if (!root) return undefined;
  try {
    return resolveEntry(root, `${copies.slice(PATH.varRunArgo.length)}${path}`, { links: "refuse", last: true });
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    throw new Error(
      `a container of the pod blocked the path of the copy of ${path}: ${describeError(error)}`,
    );
  }
}

function findInVolumes(world: World, template: PodTemplate, path: string): EntryLocation | undefined {
  using root = openFolderIfExists(at(world, PATH.mainFileSystem));
  if (!root) return undefined;
  return checkInVolume(volumesOfMain(template), path, resolveEntry(root, path, { links: "follow", last: true }));
}

/**
 * Checks that a path that contains a link ends in one of the volumes, and returns it.
 * @throws {Error} when a link leads elsewhere.
 */
export function checkInVolume(volumes: readonly string[], path: string, location: EntryLocation): EntryLocation {
  const real = `/${location.parts.join("/")}`;
  if (!location.isThroughLink || volumes.some((mountPath) => isWithin(mountPath, real))) return location;
  location[Symbol.dispose]();
  throw new Error(`${path}: a symbolic link leads outside of its volume`);
}

/** Opens a folder whose parent folders only trusted processes can change. Returns undefined if it does not exist. */
export function openFolderIfExists(path: string): Folder | undefined {
  try {
    return Folder.open(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
