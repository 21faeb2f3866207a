/** Paths inside containers, compared by meaning rather than by spelling. */

/** The path without doubled slashes, `.` and `..` segments and trailing slash; "/" stays. */
export function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || !path.startsWith("/")) parts.push(part);
  }
  return (path.startsWith("/") ? "/" : "") + parts.join("/") || ".";
}

/** Whether `path` is `base` or lies below it. */
export function isWithin(base: string, path: string): boolean {
  const from = cleanPath(base);
  const to = cleanPath(path);
  return from === to || from === "/" || to.startsWith(from + "/");
}

/** `path`, seen from the root `root`. */
export function below(root: string, path: string): string {
  return cleanPath(`${root}/${path}`);
}

/** A network path of Windows (`\\host\share`), which exists on its host only. */
export function isUncPath(path: string): boolean {
  return path.startsWith("\\\\");
}
