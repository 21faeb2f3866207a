/** ETags: content that the client already has is not sent again. */

/** Formats a store's ETag for a header; undefined if it is missing or not valid in a header. */
export function entityTag(etag: string | undefined): string | undefined {
  if (etag === undefined) return undefined;
  const tag = etag.endsWith('"') ? etag : `"${etag}"`;
  return /^(?:W\/)?"[\x21\x23-\x7e]{1,200}"$/.test(tag) ? tag : undefined;
}

/** Reports whether `If-None-Match` contains the ETag, so that the client already has the content. */
export function matchesEntityTag(header: string | null, tag: string | undefined): boolean {
  if (header === null || tag === undefined) return false;
  const bare = tag.replace(/^W\//, "");
  return header.trim() === "*" || [...header.matchAll(/"[^"]*"/g)].some(([tag]) => tag === bare);
}
