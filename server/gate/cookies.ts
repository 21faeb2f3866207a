/** Cookies of a request, and its origin according to the browser. */

/** Returns the values of all cookies with a name, in order. */
export function cookiesNamed(name: string, header: string): string[] {
  return header.split(";").flatMap((part) => {
    const index = part.indexOf("=");
    if (index < 0 || part.slice(0, index).trim() !== name) return [];
    const raw = part.slice(index + 1).trim().replace(/^"(.*)"$/, "$1");
    try {
      return [decodeURIComponent(raw)];
    } catch {
      return [raw];
    }
  });
}

/**
 * Whether a request comes from the server's own page, according to the browser. Reads are always allowed, because other
 * sites cannot see the response.
 */
export function isFromOwnPage(request: Request): boolean {
  if (request.method === "GET" || request.method === "HEAD") return true;
  const site = request.headers.get("sec-fetch-site");
  return site === "same-origin" || site === "none";
}
