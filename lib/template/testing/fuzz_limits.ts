/** The number of tries for a property: a hundred, or, in CI (`CI=true`), as many as there are seconds for. */
export function fuzzLimits(seconds: number): { numRuns: number; interruptAfterTimeLimit?: number } {
  if (Deno.env.get("CI") !== "true") return { numRuns: 100 };
  return { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: seconds * 1000 };
}
