/** Texts of a preview that cannot be computed. */

export const noPlan = (reason: unknown) => `The preview failed: ${reason}`;
