/** Returns a generator of numbers from 0 (inclusive) to 1 (exclusive), determined by a seed: an integer from 1. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
