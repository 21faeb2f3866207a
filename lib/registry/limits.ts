/** Limits on what a registry or an archive may bring: every one of images, in one place. */

/** Bytes of a manifest or an index, as registries themselves have it, and of an image's configuration. */
export const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
export const MAX_CONFIG_BYTES = 8 * 1024 * 1024;

/** The most bytes of an answer of a server that hands out tokens. */
export const MAX_TOKEN_BYTES = 1024 * 1024;

/** Bytes of all documents of an archive together. */
export const MAX_DOCUMENTS_BYTES = 64 * 1024 * 1024;

/** The bytes of the disk that images leave free. */
export const LEFT_BY_IMAGES_BYTES = 64 * 1024 * 1024;

/** Layers of an image. */
export const MAX_LAYERS = 500;

/** Documents on the way to an image: an index, an index in it, and the manifest. */
export const MAX_INDEX_DEPTH = 2;

/** The most redirections that are followed for one request. */
export const MAX_REDIRECTS = 5;

/** The time in which a manifest, or the answer with a token, must be there as a whole; in milliseconds. */
export const DOCUMENT_WITHIN_MS = 60_000;

/** The least speed at which a layer comes, in bytes a second, after a time in which it need not. */
export const LEAST_BYTES_PER_SECOND = 4096;
export const SLOW_FOR_MS = 600_000;
