/** Texts of a preview that cannot be computed. */

export const previewFailed = (reason: unknown) => `The preview failed: ${reason}`;
