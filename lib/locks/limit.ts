/** The limit of a semaphore as its author wrote it. */

/**
 * Reads a limit. 0 is one: nobody gets the semaphore until it is more.
 * @returns a problem in words when the text is no whole number, or less than 0.
 */
export function parseLimit(text: string): { readonly limit: number } | { readonly problem: string } {
  const limit = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (Number.isNaN(limit)) return { problem: `${JSON.stringify(text)} is not a whole number` };
  if (limit < 0) return { problem: `${JSON.stringify(text)} is less than 0` };
  return { limit };
}
