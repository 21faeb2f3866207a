/** Headers of answers about an object. */

/** The metadata of an object that says the SHA-256 of its content, hexadecimal. */
export const DIGEST_HEADER = "x-amz-meta-tiphys-sha256";

/** The etag of an answer, as an object of it or nothing. */
export function etagOf(headers: Headers): { readonly etag?: string } {
  const etag = headers.get("etag");
  return etag === null ? {} : { etag };
}
