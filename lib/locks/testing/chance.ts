/** Numbers from 0 to 1, without it, that are the same whenever the seed is; a seed is a whole number from 1. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
