/**
 * The URL of a request, parsed literally: the target is the path, and the host comes from the header. (`new URL(target,
 * base)` takes the host from a path that begins with two slashes, and resolves `..`.)
 */

/** The scheme and host of a request, from its connection and headers. */
export interface RequestHost {
  readonly scheme: string;
  /** The Host header, with a port unless it is the default. */
  readonly host: string;
}

/** Returns the URL; undefined for an invalid host, or a path that would be interpreted differently. */
export function requestUrl(target: string, { scheme, host }: RequestHost): URL | undefined {
  const origin = URL.parse(`${scheme}://${host}`);
  if (!origin || /[/?#@\\\s]/.test(host)) return undefined;
  // Browsers treat a backslash as a slash. Here, as in proxies, it is an ordinary character.
  const written = target.replaceAll("\\", "%5C");
  // An absolute URL takes precedence over the Host header, as HTTP requires. A target that is not a path, such as the
  // `*` of OPTIONS, is placed below the root.
  const isWhole = /^https?:\/\//i.test(written);
  const url = isWhole
    ? URL.parse(written)
    : URL.parse(`${origin.origin}${written.startsWith("/") ? "" : "/"}${written}`);
  if (!url || url.username || url.password || leadsUpward(written)) return undefined;
  return url;
}

/** Whether a path contains a `.` or `..` segment. */
function leadsUpward(target: string): boolean {
  const [path = ""] = target.split(/[?#]/, 1);
  return path.split("/").some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
}
