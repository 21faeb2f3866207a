/** Medians and spreads of measurements. */

/** The median of numbers and their range. */
export interface Spread {
  readonly median: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** Returns the median and the range; undefined for an empty list. */
export function spreadOf(numbers: readonly number[]): Spread | undefined {
  if (numbers.length === 0) return undefined;
  return { median: percentile(numbers, 50)!, minimum: Math.min(...numbers), maximum: Math.max(...numbers) };
}

/** The given percentile of numbers, interpolated linearly. */
export function percentile(numbers: readonly number[], percent: number): number | undefined {
  if (numbers.length === 0) return undefined;
  const sorted = numbers.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * percent / 100;
  const [below = NaN, above = NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

/** The exponent `e` for which `y` grows like `x ** e`, from the first to the last point; 1 is linear. */
export function growthExponent(points: readonly (readonly [x: number, y: number])[]): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last) return undefined;
  return Math.log(last[1] / first[1]) / Math.log(last[0] / first[0]);
}
