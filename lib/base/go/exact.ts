/** Exact arithmetic on floats. */

/** A float as an integer times a power of two. */
export interface ExactFloat {
  readonly digits: bigint;
  readonly exponent: number;
}

const view = new DataView(new ArrayBuffer(8));

/** Returns the exact value of a finite float. */
export function exactFloat(value: number): ExactFloat {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const digits = biased === 0 ? fraction : fraction | 0x10_0000_0000_0000n;
  return { digits: bits >> 63n === 1n ? -digits : digits, exponent: Math.max(biased, 1) - 1075 };
}

/** Rounds to a multiple of 10^`index`, ties to even, and returns the multiplier. */
export function roundToPlace(value: number, index: number): bigint {
  const { digits, exponent } = exactFloat(value);
  const numerator = digits * 2n ** BigInt(Math.max(exponent, 0)) * 10n ** BigInt(Math.max(-index, 0));
  const denominator = 2n ** BigInt(Math.max(-exponent, 0)) * 10n ** BigInt(Math.max(index, 0));
  const size = numerator < 0n ? -numerator : numerator;
  const quotient = size / denominator;
  const twice = (size % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  const rounded = up ? quotient + 1n : quotient;
  return numerator < 0n ? -rounded : rounded;
}

/** Splits a float into a fraction with an absolute value of at least 0.5 and less than 1, and a power of two. */
export function splitFloat(value: number): [number, number] {
  const size = Math.abs(value);
  let exponent = Math.max(-1023, Math.floor(Math.log2(size)) + 1);
  let fraction = value * 2 ** -exponent;
  // The logarithm may be off by one, and the smallest numbers need several steps.
  while (Math.abs(fraction) < 0.5) {
    fraction *= 2;
    exponent--;
  }
  while (Math.abs(fraction) >= 1) {
    fraction /= 2;
    exponent++;
  }
  return [fraction, exponent];
}
