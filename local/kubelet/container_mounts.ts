/** From a container's volumeMounts to folders and files of this machine. */

import type { PodContainer } from "../../lib/api/mod.ts";
import { expandVariables } from "./expand_variables.ts";
import type { Mount } from "./runtime/runtime.ts";
import { SetupError } from "./setup_error.ts";
import type { PreparedVolume } from "./volumes.ts";

/** Resolves the mounts, outer ones first. A subPath that is not there becomes a folder. Throws SetupError. */
export async function containerMounts(
  container: PodContainer,
  volumes: ReadonlyMap<string, PreparedVolume>,
  variables: ReadonlyMap<string, string>,
): Promise<Mount[]> {
  const mounts: Mount[] = [];
  for (const { name, mountPath, subPath, subPathExpr, readOnly } of container.volumeMounts ?? []) {
    const volume = volumes.get(name);
    if (!volume) throw new SetupError("CreateContainerConfigError", `Volume "${name}" is not one of the pod's`);
    const below = subPathExpr ? expandVariables(subPathExpr, variables) : subPath ?? "";
    const source = below === "" ? volume.path : await withinVolume(volume.path, below);
    mounts.push({ source, target: cleanTarget(mountPath), readOnly: readOnly === true || volume.readOnly });
  }
  return mounts.sort((a, b) => depth(a.target) - depth(b.target));
}

/** The place of a subPath, links followed; one that leads out of the volume is refused. */
async function withinVolume(volume: string, below: string): Promise<string> {
  if (below.startsWith("/") || below.split("/").includes("..")) {
    throw new SetupError("CreateContainerConfigError", `subPath ${JSON.stringify(below)} leads out of its volume`);
  }
  const root = await Deno.realPath(volume);
  let path = root;
  for (const part of below.split("/").filter((word) => word !== "" && word !== ".")) {
    const next = `${path}/${part}`;
    try {
      path = await Deno.realPath(next);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      await Deno.mkdir(next);
      await Deno.chmod(next, 0o777);
      path = next;
    }
    if (path !== root && !path.startsWith(`${root}/`)) {
      throw new SetupError("CreateContainerConfigError", `subPath ${JSON.stringify(below)} leads out of its volume`);
    }
  }
  return path;
}

function cleanTarget(path: string): string {
  return `/${path.split("/").filter((part) => part !== "" && part !== ".").join("/")}`;
}

function depth(path: string): number {
  return path.split("/").length;
}
