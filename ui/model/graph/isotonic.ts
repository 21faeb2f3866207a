/** Isotonic placement: items in a row, as close to their wanted positions as order and distances allow. */

/**
 * Returns the positions with the least squared distance from the wanted ones so that each is at least `gaps[i]` after
 * the previous one. `gaps[i]` is the distance between `i - 1` and `i`. Pool adjacent violators algorithm, in one pass.
 */
export function placeInOrder(desired: Float64Array, gaps: Float64Array, weights?: Float64Array): Float64Array {
  const count = desired.length;
  const offsets = new Float64Array(count);
  for (let i = 1; i < count; i++) offsets[i] = offsets[i - 1]! + gaps[i]!;
  const means = new Float64Array(count);
  const sums = new Float64Array(count);
  const ends = new Int32Array(count);
  let blocks = 0;
  for (let i = 0; i < count; i++) {
    means[blocks] = desired[i]! - offsets[i]!;
    sums[blocks] = weights?.[i] ?? 1;
    ends[blocks++] = i + 1;
    while (blocks > 1 && means[blocks - 2]! > means[blocks - 1]!) {
      const [a, b] = [blocks - 2, blocks - 1];
      const weight = sums[a]! + sums[b]!;
      means[a] = (means[a]! * sums[a]! + means[b]! * sums[b]!) / weight;
      sums[a] = weight;
      ends[a] = ends[b]!;
      blocks--;
    }
  }
  const places = new Float64Array(count);
  for (let block = 0, i = 0; block < blocks; block++) {
    for (; i < ends[block]!; i++) places[i] = means[block]! + offsets[i]!;
  }
  return places;
}
