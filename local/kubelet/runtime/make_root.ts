/** Makes the parts of a root that are plain folders, links and mount points, before anything is mounted. */

import { isWithin } from "./machine.ts";
import type { PlacedMount, RootPlan } from "./root_plan.ts";

/** Makes them in `root`; mount points that lie in an overlay are made in its upper folder, `upper(path)`. */
export function makeRoot(plan: RootPlan, root: string, upper: (path: string) => string): void {
  Deno.mkdirSync(root, { mode: 0o755 });
  for (const { path, mode } of plan.folders) {
    Deno.mkdirSync(root + path, { recursive: true });
    Deno.chmodSync(root + path, parseInt(mode, 8));
  }
  for (const { path, target } of plan.links) Deno.symlinkSync(target, root + path);
  for (const mount of plan.mounts) {
    if (isNested(mount, plan)) continue;
    const layer = plan.layers.find(({ path }) => isWithin(mount.target, path));
    if (!layer) makePoint(mount, root + mount.target);
    else if (layer.kind === "overlay" && layer.path !== mount.target) makePoint(mount, upper(mount.target));
  }
}

/** Whether a mount lies inside another mount of the container, so that its point can be made only after that one. */
export function isNested(mount: PlacedMount, plan: RootPlan): boolean {
  return plan.mounts.some((other) => other !== mount && mount.target.startsWith(`${other.target}/`));
}

function makePoint({ isFolder }: PlacedMount, at: string): void {
  Deno.mkdirSync(isFolder ? at : at.slice(0, at.lastIndexOf("/")), { recursive: true, mode: 0o755 });
  if (!isFolder) Deno.writeTextFileSync(at, "", { append: true });
}
