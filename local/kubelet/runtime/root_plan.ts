/**
 * The plan of a container's root that is put together from this machine's: decided here, carried out by a launcher.
 *
 * - Programs and libraries are shown as they are: each folder of `/` as an overlay, so that writes stay with the
 *   container, or read-only where other file systems are mounted below it. What they show is what everybody may see: to the
 *   container's root they belong to somebody else.
 * - What belongs to people or to the running system is not shown: /home, /root, /tmp, /run, /mnt and the like are empty
 *   folders of the container's own. A workflow from elsewhere has no business with the keys in a home folder.
 * - /proc, /dev and /sys are made by the launcher.
 */

import type { PlannedLayer } from "./container_plan.ts";
import { isWithin, type Machine } from "./machine.ts";
import type { Mount } from "./runtime.ts";

/** A container's root. */
export interface RootPlan {
  /** Folders made in the root itself, with their modes. */
  readonly folders: readonly { readonly path: string; readonly mode: string }[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
  readonly layers: readonly PlannedLayer[];
  readonly mounts: readonly Mount[];
  /** The container's folder to begin in, without links: made where it is missing, as an engine does with an image's. */
  readonly workingDir: string;
}

/** The file system as the plan asks about it. */
export interface FileSystem {
  /** Undefined when there is nothing at the path. */
  kindOf(path: string): "folder" | "file" | "link" | undefined;
  readLink(path: string): string;
}

const emptyFolders: ReadonlyMap<string, string> = new Map([
  ["boot", "755"],
  ["home", "755"],
  ["lost+found", "700"],
  ["media", "755"],
  ["mnt", "755"],
  ["root", "700"],
  ["run", "755"],
  ["tmp", "1777"],
]);
const kernelFolders = new Set(["proc", "sys", "dev"]);

/** Plans the root for a container with these mounts. */
export function planRoot(
  machine: Machine,
  mounts: readonly Mount[],
  files: FileSystem,
  options: { readonly overlays: boolean; readonly workingDir?: string | undefined },
): RootPlan {
  const placed = mounts.map((mount): Mount => ({ ...mount, target: resolveTarget(mount.target, files) }));
  const workingDir = resolveTarget(options.workingDir ?? "/", files);
  const points = [...placed.map(({ target }) => target), workingDir];
  const folders = new Map<string, string>();
  const links: { path: string; target: string }[] = [];
  const layers: PlannedLayer[] = [];
  for (const name of ["tmp", "run", "home", "root"]) folders.set(`/${name}`, emptyFolders.get(name)!);
  for (const name of kernelFolders) folders.set(`/${name}`, "755");
  for (const entry of machine.topLevel) {
    const path = `/${entry.name}`;
    if (entry.kind === "link") {
      links.push({ path, target: entry.target });
      continue;
    }
    folders.set(path, emptyFolders.get(entry.name) ?? "755");
    if (emptyFolders.has(entry.name) || kernelFolders.has(entry.name)) continue;
    const layer = layerOf(path, machine, options.overlays);
    // A mount point cannot be made in a folder that is shown read-only: there the container sees an empty one instead.
    const blocked = layer.kind === "bind" &&
      points.some((point) => isWithin(point, path) && files.kindOf(point) === undefined);
    if (!blocked) layers.push(layer);
  }
  return { folders: [...folders].map(([path, mode]) => ({ path, mode })), links, layers, mounts: placed, workingDir };
}

/** An overlay shows nothing that is mounted below its folders. */
function layerOf(path: string, machine: Machine, overlays: boolean): PlannedLayer {
  const hasMounts = machine.mounts.some((mount) => mount !== path && isWithin(mount, path));
  return { path, kind: overlays && !hasMounts ? "overlay" : "bind" };
}

/**
 * The path to which a path of the container leads once the machine's links are followed (`/var/run` is `/run` nearly
 * everywhere): a launcher works from outside the root, where such a link would lead out of it. Below the empty folders
 * nothing is followed, because the machine's content is not there.
 */
export function resolveTarget(target: string, files: FileSystem): string {
  let rest = target.split("/").filter((part) => part !== "" && part !== ".");
  let path = "";
  for (let links = 0; rest.length > 0;) {
    const part = rest.shift()!;
    if (part === "..") {
      path = path.slice(0, path.lastIndexOf("/"));
      continue;
    }
    const next = `${path}/${part}`;
    const top = next.split("/")[1]!;
    const shown = !emptyFolders.has(top) && !kernelFolders.has(top);
    if (shown && files.kindOf(next) === "link" && ++links < 40) {
      const to = files.readLink(next);
      rest = [...to.split("/").filter((word) => word !== "" && word !== "."), ...rest];
      if (to.startsWith("/")) path = "";
    } else {
      path = next;
    }
  }
  return path === "" ? "/" : path;
}

/** The machine's own file system. */
export const machineFiles: FileSystem = {
  kindOf(path) {
    try {
      const { isDirectory, isSymlink } = Deno.lstatSync(path);
      return isSymlink ? "link" : isDirectory ? "folder" : "file";
    } catch {
      return undefined;
    }
  },
  readLink: (path) => Deno.readLinkSync(path),
};
