/** Parses the limit of a semaphore. */

/**
 * Parses a limit. 0 is valid: the semaphore is not granted until the limit is greater.
 * @returns a problem when the text is not a non-negative integer.
 */
export function parseLimit(text: string): { readonly limit: number } | { readonly problem: string } {
  const limit = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (Number.isNaN(limit)) return { problem: `${JSON.stringify(text)} is not a whole number` };
  if (limit < 0) return { problem: `${JSON.stringify(text)} is less than 0` };
  return { limit };
}
