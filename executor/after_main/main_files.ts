/**
 * Files that main left, as an auxiliary container finds them: by the ways that main itself would go, and no others.
 */
import { Folder, type Found, type Held, OutsideError, walk } from "../../lib/confined/mod.ts";
import { PATH } from "../../lib/constants.ts";
import { cleanPath, isWithin } from "../../lib/pod/paths.ts";
import { describe } from "../failure.ts";
import { isCopied, type PodTemplate, volumesOfMain } from "../pod/template.ts";
import { at, type World } from "../world.ts";

/** Something that main left. */
export interface LeftByMain extends Disposable {
  readonly held: Held;
  /** The folder that holds it, and its name there. */
  readonly parent: Folder;
  readonly name: string;
  /** Whether this is the copy that main's emissary made of what lay in main's image. */
  readonly isCopy: boolean;
  /** Whether main's path is a link to it. */
  readonly byLink: boolean;
}

/**
 * Finds what main left at a path of its own: in the mirror of main's volumes, links followed as main would follow them,
 * or in the copy that its emissary made below `copies`, under the same path and `suffix`. Undefined when nothing is there.
 * @throws {Error} when a link leads outside of main's volumes, or what is there has no end: a pipe, a socket, a device.
 */
export function leftByMain(
  world: World,
  template: PodTemplate,
  path: string,
  { copies, suffix = "" }: { readonly copies: string; readonly suffix?: string },
): LeftByMain | undefined {
  const clean = cleanPath(path);
  const isCopy = isCopied(world, template, clean);
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
    byLink: found!.byLink,
    [Symbol.dispose]() {
      held[Symbol.dispose]();
      found![Symbol.dispose]();
    },
  };
}

/** Main may have written there as well as its emissary: no link is followed. */
function findCopy(world: World, copies: string, path: string): Found | undefined {
  using root = folderIfThere(at(world, PATH.varRunArgo));
  if (!root) return undefined;
  try {
    return walk(root, `${copies.slice(PATH.varRunArgo.length)}${path}`, { links: "refuse", last: true });
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    throw new Error(
      `a container of the pod has put something else in the way of the copy of ${path}: ${describe(error)}`,
    );
  }
}

function findInVolumes(world: World, template: PodTemplate, path: string): Found | undefined {
  using root = folderIfThere(at(world, PATH.mainFileSystem));
  if (!root) return undefined;
  return inVolume(volumesOfMain(template), path, walk(root, path, { links: "follow", last: true }));
}

/**
 * The same way, when it ends in one of these volumes.
 * @throws {Error} when a link led it elsewhere.
 */
export function inVolume(volumes: readonly string[], path: string, found: Found): Found {
  const real = `/${found.parts.join("/")}`;
  if (!found.byLink || volumes.some((mountPath) => isWithin(mountPath, real))) return found;
  found[Symbol.dispose]();
  throw new Error(`${path} leads outside of its volume by a link`);
}

/** Holds a folder whose way nobody else can change. */
export function folderIfThere(path: string): Folder | undefined {
  try {
    return Folder.open(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
