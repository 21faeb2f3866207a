/** Limits of the embedded store of artifacts: every one that its users can meet, in one place. */

/** Bytes of a block: what is held against its sum at once, and so in memory. */
export const BLOCK_BYTES = 4 * 1024 * 1024;

/** Bytes that all artifacts may have where nobody says otherwise. */
export const DEFAULT_LIMIT_BYTES = 10 * 1024 ** 3;

/** Bytes of the disk that are left to others. */
export const LEFT_BY_ARTIFACTS_BYTES = 64 * 1024 * 1024;

/** Bytes of a key, in UTF-8, and of what an object says of itself beside its content: as S3 has them. */
export const MAX_KEY_BYTES = 1024;
export const MAX_METADATA_BYTES = 2048;

/** Keys of one page of a list, and of one request that removes. */
export const PAGE = 1000;

/** Parts of an upload. */
export const MAX_PARTS = 10_000;

/** Bytes of a request that is a document: lists of parts, and of keys. */
export const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

/** The greatest difference between a client's clock and ours, in milliseconds. */
export const MAX_SKEW_MILLIS = 15 * 60_000;

/** Connections at a time, and requests that are worked at a time: each may have a block in memory. */
export const MAX_CONNECTIONS = 256;
export const MAX_REQUESTS = 24;

/** A request that takes longer is given up, milliseconds. */
export const ANSWERED_WITHIN_MS = 10 * 60_000;

/** The most bytes of a line between the chunks of a content (`aws-chunked`). */
export const MAX_CHUNK_LINE_BYTES = 1024;
