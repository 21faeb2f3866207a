/** Limits for the content of registries and archives. */

/** Maximum bytes of a manifest or index, as in registries, and of an image's configuration. */
export const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
export const MAX_CONFIG_BYTES = 8 * 1024 * 1024;

/** Maximum bytes of the response of a token server. */
export const MAX_TOKEN_BYTES = 1024 * 1024;

/** Maximum total bytes of the documents in an archive. */
export const MAX_DOCUMENTS_BYTES = 64 * 1024 * 1024;

/** Maximum number of entries in an archive of images, which compresses to a thousandth of its size. */
export const MAX_ARCHIVE_ENTRIES = 100_000;

/** Bytes of disk space that images must leave free. */
export const MIN_FREE_BYTES = 64 * 1024 * 1024;

/** Maximum number of layers of an image. */
export const MAX_LAYERS = 500;

/** Maximum number of documents before an image is reached: an index, a nested index, and the manifest. */
export const MAX_INDEX_DEPTH = 2;

/** Maximum number of redirects of one request. */
export const MAX_REDIRECTS = 5;

/**
 * Timeout for a complete manifest or token response, in milliseconds. A configuration has this time before the minimum
 * speed of a layer applies to it.
 */
export const DOCUMENT_TIMEOUT_MS = 60_000;

/** Minimum speed of a layer in bytes per second, and the milliseconds before it applies. */
export const MIN_BYTES_PER_SECOND = 4096;
export const SLOW_PERIOD_MS = 600_000;
