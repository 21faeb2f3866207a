/** Headers of answers about an object. */

/** The metadata of an object that says the SHA-256 of its content, hexadecimal. */
export const DIGEST_HEADER = "x-amz-meta-tiphys-sha256";

/** The metadata that says the CRC32 of an object of several parts, which has no such sum of its own, beside its SHA-256. */
export const CRC_HEADER = "x-amz-meta-tiphys-crc32";

/** The etag of an answer, as an object of it or nothing. */
export function etagOf(headers: Headers): { readonly etag?: string } {
  const etag = headers.get("etag");
  return etag === null ? {} : { etag };
}
