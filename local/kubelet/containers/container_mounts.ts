/** Resolves the volumeMounts of a container to folders and files of this machine. */

import type { PodContainer } from "@tiphys/model/api";
import { expandVariables } from "./expand_variables.ts";
import type { Mount } from "../runtime/runtime.ts";
import { SetupError } from "../setup_error.ts";
import type { PreparedVolume } from "../volumes/volumes.ts";

/**
 * Returns the mounts, outer ones first. The back end resolves a subPath when it mounts it.
 * @throws {SetupError}
 */
export function containerMounts(
  container: PodContainer,
  volumes: ReadonlyMap<string, PreparedVolume>,
  variables: ReadonlyMap<string, string>,
): Mount[] {
  const mounts: Mount[] = [];
  for (const { name, mountPath, subPath, subPathExpr, readOnly } of container.volumeMounts ?? []) {
    const volume = volumes.get(name);
    if (!volume) throw new SetupError("CreateContainerConfigError", `Volume "${name}" is not one of the pod's`);
    const below = normalizeSubPath(subPathExpr ? expandVariables(subPathExpr, variables) : subPath ?? "");
    const target = mountPoint(`Volume "${name}"`, mountPath);
    mounts.push({
      source: volume.path,
      ...(below !== "" && { below, isFixed: volume.isFixed === true }),
      target,
      readOnly: readOnly === true || volume.readOnly,
    });
  }
  return mounts.sort((a, b) => depth(a.target) - depth(b.target));
}

/** Normalizes a subPath. Rejects one that textually leads out of the volume. */
function normalizeSubPath(below: string): string {
  const parts = below.split("/");
  if (below.startsWith("/") || parts.includes("..")) {
    throw new SetupError("CreateContainerConfigError", `subPath ${JSON.stringify(below)} leads outside of its volume`);
  }
  return parts.filter((part) => part !== "" && part !== ".").join("/");
}

/**
 * Normalizes the path of a mount: removes `.`, `..` and empty segments.
 * @throws {SetupError} for the root.
 */
export function mountPoint(subject: string, path: string): string {
  const target = cleanTarget(path);
  if (target !== "/") return target;
  throw new SetupError("CreateContainerConfigError", `${subject} cannot be mounted at /, where the image is`);
}

/** Removes `.` and empty segments, and resolves `..`, which has no effect at the root. */
function cleanTarget(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function depth(path: string): number {
  return path.split("/").length;
}
