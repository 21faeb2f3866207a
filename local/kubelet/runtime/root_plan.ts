/**
 * The plan of a container's root that is composed from this machine's file system. A launcher carries it out.
 *
 * - Programs and libraries are visible: each folder of `/` is an overlay, so that writes stay in the container, or
 *   read-only if other file systems are mounted below it. Only world-readable files can be read: they do not belong to
 *   the container's root.
 * - Files of users and of the running system are hidden: /home, /root, /tmp, /run, /mnt and the like are empty folders
 *   of the container. A workflow must not be able to read keys in a home folder.
 * - The launcher creates /proc, /dev and /sys.
 */

import type { PlannedLayer } from "./container_plan.ts";
import { isWithin, type Machine } from "./machine.ts";
import type { Mount } from "./runtime.ts";

/** A container's root. */
export interface RootPlan {
  /** Folders to create in the root, with their modes. */
  readonly folders: readonly { readonly path: string; readonly mode: string }[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
  readonly layers: readonly PlannedLayer[];
  readonly mounts: readonly Mount[];
  /** The working directory without links. It is created if missing, as engines do. */
  readonly workingDir: string;
}

/** The file system, as the plan reads it. */
export interface FileSystem {
  /** Undefined if the path does not exist. */
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

/** Plans the root of a container with these mounts. */
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
    // Mount points cannot be created in a read-only folder, so the container sees an empty folder instead.
    const blocked = layer.kind === "bind" &&
      points.some((point) => isWithin(point, path) && files.kindOf(point) === undefined);
    if (!blocked) layers.push(layer);
  }
  return { folders: [...folders].map(([path, mode]) => ({ path, mode })), links, layers, mounts: placed, workingDir };
}

/** A bind mount is used for folders with mounts below, because an overlay does not show them. */
function layerOf(path: string, machine: Machine, overlays: boolean): PlannedLayer {
  const hasMounts = machine.mounts.some((mount) => mount !== path && isWithin(mount, path));
  return { path, kind: overlays && !hasMounts ? "overlay" : "bind" };
}

/**
 * Resolves a path of the container with the links of this machine (`/var/run` usually points to `/run`): a launcher
 * works from outside the root, where such links would lead out of it. Nothing is resolved below the empty folders,
 * because they do not have the machine's content.
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

/** The file system of this machine. */
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
