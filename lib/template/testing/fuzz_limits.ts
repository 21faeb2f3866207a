/** How long a property is tried: a hundred times, in CI (`CI=true`) for as many seconds as it is given. */
export function fuzzLimits(seconds: number): { numRuns: number; interruptAfterTimeLimit?: number } {
  if (Deno.env.get("CI") !== "true") return { numRuns: 100 };
  return { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: seconds * 1000 };
}
