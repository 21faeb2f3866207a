/** Paths inside containers, compared after normalization. */

/** Removes double slashes, `.` and `..` segments and a trailing slash; "/" remains. */
export function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || !path.startsWith("/")) parts.push(part);
  }
  return (path.startsWith("/") ? "/" : "") + parts.join("/") || ".";
}

/** Whether `path` is `base` or below it. */
export function isWithin(base: string, path: string): boolean {
  const from = cleanPath(base);
  const to = cleanPath(path);
  return from === to || from === "/" || to.startsWith(from + "/");
}

/** Returns `path` below `root`. */
export function below(root: string, path: string): string {
  return cleanPath(`${root}/${path}`);
}

/** Whether a path is a network path of Windows (`\\host\share`), which exists only on its host. */
export function isUncPath(path: string): boolean {
  return path.startsWith("\\\\");
}
