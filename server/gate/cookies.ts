/** Cookies of a request, and where a browser says that it comes from. */

/** The values of all cookies of a name, in their order. */
export function cookiesNamed(name: string, header: string): string[] {
  return header.split(";").flatMap((part) => {
    const at = part.indexOf("=");
    if (at < 0 || part.slice(0, at).trim() !== name) return [];
    const raw = part.slice(at + 1).trim().replace(/^"(.*)"$/, "$1");
    try {
      return [decodeURIComponent(raw)];
    } catch {
      return [raw];
    }
  });
}

/** Whether a request is from our own page, as browsers say it; reads may be from any, as no other sees the answer. */
export function isFromOwnPage(request: Request): boolean {
  if (request.method === "GET" || request.method === "HEAD") return true;
  const site = request.headers.get("sec-fetch-site");
  return site === "same-origin" || site === "none";
}
