/** Checks the paths of artifacts in a container against path traversal. Runs in browsers. */

/**
 * Returns the problem with the path of an artifact, with Argo's message; undefined when it is valid. A path with `..`
 * must stay below the folder before the first `..`.
 */
export function pathProblem({ name, path }: { readonly name?: string; readonly path?: string }): string | undefined {
  if (!path || !leadsOut(path)) return undefined;
  return `Artifact '${name}' attempted to use a path containing '..'. Directory traversal is not permitted`;
}

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
