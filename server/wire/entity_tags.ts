/** Tags of contents: what a client has already is not sent again. */

/** The tag that a store has for a content, as a header holds it; undefined where there is none, or none that one could hold. */
export function entityTag(etag: string | undefined): string | undefined {
  if (etag === undefined) return undefined;
  const tag = etag.endsWith('"') ? etag : `"${etag}"`;
  return /^(?:W\/)?"[\x21\x23-\x7e]{1,200}"$/.test(tag) ? tag : undefined;
}

/** Whether the header `If-None-Match` names the tag: the client has this content already. */
export function isKnown(header: string | null, tag: string | undefined): boolean {
  if (header === null || tag === undefined) return false;
  const bare = tag.replace(/^W\//, "");
  return header.trim() === "*" || [...header.matchAll(/"[^"]*"/g)].some(([one]) => one === bare);
}
