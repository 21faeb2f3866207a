/** Creates the folders, links and mount points of a root, before anything is mounted. */

import type { ContainerIds } from "../../image/container_ids.ts";
import { isWithin } from "./machine.ts";
import type { RootPlan } from "./root_plan.ts";
import type { Mount } from "./runtime.ts";

/**
 * Creates below `folder`: `root` for the container's root, and `upper` and `work` for overlay layers. Mount points
 * inside such layers are created in `upper`, because the folders that they show may not be writable.
 */
export function makeRoot(plan: RootPlan, folder: string, ids: ContainerIds | undefined): void {
  const root = `${folder}/root`;
  for (const { path, mode } of [{ path: "", mode: "755" }, ...plan.folders]) {
    Deno.mkdirSync(root + path, { recursive: true });
    if (ids) Deno.chownSync(root + path, ids.first, ids.first);
    Deno.chmodSync(root + path, parseInt(mode, 8));
  }
  for (const { path, target } of plan.links) Deno.symlinkSync(target, root + path);
  const overlays = plan.layers.filter(({ kind }) => kind === "overlay");
  for (const { path } of overlays) {
    for (const part of ["upper", "work"]) makeFolders(`${folder}/${part}${path}`);
  }
  for (const mount of plan.mounts) makeMountPoint(mount.target, isFile(mount), plan, overlays, folder);
  makeMountPoint(plan.workingDir, false, plan, overlays, folder);
}

function makeMountPoint(
  target: string,
  isFile: boolean,
  plan: RootPlan,
  overlays: RootPlan["layers"],
  folder: string,
): void {
  const isInOverlay = overlays.some(({ path }) => path !== target && isWithin(target, path));
  if (!isInOverlay || isNested(target, plan)) return;
  const mountPoint = `${folder}/upper${target}`;
  makeFolders(isFile ? mountPoint.slice(0, mountPoint.lastIndexOf("/")) : mountPoint);
  if (isFile) Deno.writeTextFileSync(mountPoint, "", { append: true });
}

function makeFolders(path: string): void {
  Deno.mkdirSync(path, { recursive: true, mode: 0o755 });
}

/**
 * Reports whether a mount's source is a file. With `below`, it is assumed to be a folder without checking, because
 * others may change the source at any time.
 */
function isFile({ source, below }: Mount): boolean {
  if (below) return false;
  try {
    return !Deno.statSync(source).isDirectory;
  } catch {
    return false;
  }
}

/** Reports whether a path is inside a mount of the container, and so can only be created after mounting it. */
function isNested(path: string, plan: Pick<RootPlan, "mounts">): boolean {
  return plan.mounts.some(({ target }) => path.startsWith(`${target}/`));
}
