/** Artifacts of a template: where they lie in the container, and where in a store. */
import type { Artifact, ArtifactLocation } from "../api/mod.ts";
import type { Place, Report } from "./report.ts";

/** Checks the path of an artifact: needed where there is a container, out of place elsewhere, and never leading out. */
export function checkArtifactPath(report: Report, { name, path }: Artifact, isLeaf: boolean, place: Place): void {
  if (!isLeaf) {
    if (path) report.add(place.at("path"), `${place.name}.path only valid in container/script templates`);
  } else if (!path) {
    report.add(place.at(), `error in ${place.name}: Artifact '${name}' did not specify a path`);
  } else if (leadsOut(path)) {
    const problem = "attempted to use a path containing '..'. Directory traversal is not permitted";
    report.add(place.at("path"), `error in ${place.name}: Artifact '${name}' ${problem}`);
  }
}

/** Checks what a store cannot do without. */
export function checkArtifactStore(report: Report, location: ArtifactLocation, place: Place): void {
  if (location.git && !location.git.repo) report.add(place.at("git", "repo"), `${place.name}.git.repo is required`);
}

/** Whether a path ends up outside of the folder that stands before its first `..`. */
function leadsOut(path: string): boolean {
  const parts = path.split("/");
  const first = parts.indexOf("..");
  if (first <= 0) return false;
  const folder = parts.slice(0, first).filter((part) => part !== "");
  const clean: string[] = [];
  for (const part of parts) {
    if (part === "..") clean.pop();
    else if (part !== "" && part !== ".") clean.push(part);
  }
  return clean.length <= folder.length || folder.some((part, index) => clean[index] !== part);
}
