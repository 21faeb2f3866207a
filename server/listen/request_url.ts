/**
 * The address that a request asks for, read as the sender wrote it: what stands there is the path, and the host is the host's.
 * (`new URL(target, base)` takes the host out of a path that begins with two slashes, and resolves what leads upward.)
 */

/** The scheme and the host of a request, as its connection and its headers say them. */
export interface RequestHost {
  readonly scheme: string;
  /** As the header has it, with a port where it is not the usual one. */
  readonly host: string;
}

/** The address; undefined where the host is none, or the path is another one than it says. */
export function requestUrl(target: string, { scheme, host }: RequestHost): URL | undefined {
  const origin = URL.parse(`${scheme}://${host}`);
  if (!origin || /[/?#@\\\s]/.test(host)) return undefined;
  // To a browser's eyes a backslash is a slash; to a proxy, and here, it is a character like others.
  const written = target.replaceAll("\\", "%5C");
  // A whole address goes before the host, as HTTP has it; what stands for no path, as the `*` of OPTIONS, is below the root.
  const isWhole = /^https?:\/\//i.test(written);
  const url = isWhole
    ? URL.parse(written)
    : URL.parse(`${origin.origin}${written.startsWith("/") ? "" : "/"}${written}`);
  if (!url || url.username || url.password || leadsUpward(written)) return undefined;
  return url;
}

/** Whether a part of a path stands for the folder itself, or the one above. */
function leadsUpward(target: string): boolean {
  const [path = ""] = target.split(/[?#]/, 1);
  return path.split("/").some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
}
