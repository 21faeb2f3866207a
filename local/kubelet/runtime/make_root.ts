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
  for (const point of [...plan.mounts, { target: plan.workingDir, isFolder: true }]) {
    if (isNested(point.target, plan)) continue;
    const layer = plan.layers.find(({ path }) => isWithin(point.target, path));
    if (!layer) makePoint(point, root + point.target);
    else if (layer.kind === "overlay" && layer.path !== point.target) makePoint(point, upper(point.target));
  }
}

/** Whether a path lies inside a mount of the container, so that it can be made only after that one. */
export function isNested(path: string, plan: Pick<RootPlan, "mounts">): boolean {
  return plan.mounts.some(({ target }) => path.startsWith(`${target}/`));
}

/** Makes what something can be mounted on. */
export function makePoint({ isFolder }: Pick<PlacedMount, "isFolder">, at: string): void {
  Deno.mkdirSync(isFolder ? at : at.slice(0, at.lastIndexOf("/")), { recursive: true, mode: 0o755 });
  if (!isFolder) Deno.writeTextFileSync(at, "", { append: true });
}
