/** All limits of the embedded artifact store. */

/** Size of a block in bytes. A whole block is in memory while its checksum is verified. */
export const BLOCK_BYTES = 4 * 1024 * 1024;

/** Default maximum of the total size of artifacts, in bytes. */
export const DEFAULT_LIMIT_BYTES = 10 * 1024 ** 3;

/** Free disk space that artifacts leave to other programs, in bytes. */
export const LEFT_BY_ARTIFACTS_BYTES = 64 * 1024 * 1024;

/** Maximum size of a key in UTF-8, and of the stored headers of an object, in bytes, as in S3. */
export const MAX_KEY_BYTES = 1024;
export const MAX_METADATA_BYTES = 2048;

/** Maximum number of keys in a page of a list, and in a request that deletes several objects. */
export const PAGE = 1000;

/** Maximum number of parts of an upload. */
export const MAX_PARTS = 10_000;

/** Maximum size of an XML document (lists of parts or keys), in bytes. */
export const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

/** Maximum difference between the clocks of a client and the store, in milliseconds. */
export const MAX_SKEW_MILLIS = 15 * 60_000;

/** Maximum numbers of connections and of concurrent requests. Each request may have a block in memory. */
export const MAX_CONNECTIONS = 256;
export const MAX_REQUESTS = 24;

/** Timeout of a request, in milliseconds. */
export const ANSWERED_WITHIN_MS = 10 * 60_000;

/** Maximum size of a line between chunks (`aws-chunked`), in bytes. */
export const MAX_CHUNK_LINE_BYTES = 1024;
