/** Headers of responses about an object. */

/** The metadata with the SHA-256 of an object's content in hexadecimal. */
export const DIGEST_HEADER = "x-amz-meta-tiphys-sha256";

/** The metadata with the CRC-32 of a multipart object, for which S3 has no such checksum, next to its SHA-256. */
export const CRC_HEADER = "x-amz-meta-tiphys-crc32";

/** Returns the etag of a response as an object with one field, or empty. */
export function etagOf(headers: Headers): { readonly etag?: string } {
  const etag = headers.get("etag");
  return etag === null ? {} : { etag };
}
