/** Returns the number of runs of a property: 100, or in CI (`CI=true`) until the given number of seconds has passed. */
export function fuzzLimits(seconds: number): { numRuns: number; interruptAfterTimeLimit?: number } {
  if (Deno.env.get("CI") !== "true") return { numRuns: 100 };
  return { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: seconds * 1000 };
}
