/** Paths of an unpacked image: links in it are followed within it, wherever they claim to lead. */

const MOST_LINKS = 255;

/** Where a path of the image lies on this machine, or would: its links followed, the last one only when asked to. */
export function scopedPath(root: string, path: string, options: { readonly followLast: boolean }): string {
  return root + resolveWithin(root, path, options.followLast);
}

/** The same as a path of the image, without links in it: `/` at least. */
export function resolveWithin(root: string, path: string, followLast: boolean): string {
  let rest = words(path);
  let resolved = "";
  for (let links = 0; rest.length > 0;) {
    const part = rest.shift()!;
    if (part === "..") {
      resolved = resolved.slice(0, Math.max(0, resolved.lastIndexOf("/")));
      continue;
    }
    const next = `${resolved}/${part}`;
    const target = rest.length > 0 || followLast ? linkAt(root + next) : undefined;
    if (target === undefined) {
      resolved = next;
      continue;
    }
    if (++links > MOST_LINKS) throw new Error(`Too many links on the way to ${JSON.stringify(path)}`);
    rest = [...words(target), ...rest];
    if (target.startsWith("/")) resolved = "";
  }
  return resolved === "" ? "/" : resolved;
}

function words(path: string): string[] {
  return path.split("/").filter((word) => word !== "" && word !== ".");
}

function linkAt(path: string): string | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return undefined;
  }
}
