/**
 * `math.Exp` and `math.Log` with the results that Go has on amd64: a short series around a multiple of ln 2. The host's
 * functions differ in the last digit, which `2.5 ** 1.3` would show.
 */

import { type ExactFloat, exactFloat, splitFloat } from "./exact.ts";

const LOG2_E = 1.44269504088896340736;
/** ln 2 as the sum of two parts, so that its multiples lose no precision. */
const LN2_UPPER = 0.69314718055966295651160180568695068359375;
const LN2_LOWER = 0.28235290563031577122588448175013436025525412068e-12;
/** 1/8! to 1/2!, then 1. */
const SERIES = [
  2.4801587301587301587e-5,
  1.984126984126984127e-4,
  1.3888888888888888889e-3,
  8.3333333333333333333e-3,
  4.1666666666666666667e-2,
  1.6666666666666666667e-1,
  0.5,
  1,
];

/** ln 2 as the sum of two parts, the first with few enough digits that integer multiples of it are exact. */
const LN2_SHORT = 6.93147180369123816490e-1;
const LN2_REST = 1.90821492927058770002e-10;
/** The coefficients of the logarithm's series, for odd and even powers, highest first. */
const ODD_TERMS = [1.479819860511658591e-1, 1.818357216161805012e-1, 2.857142874366239149e-1, 6.666666666666735130e-1];
const EVEN_TERMS = [1.531383769920937332e-1, 2.222219843214978396e-1, 3.999999999940941908e-1];

/** The natural logarithm. The order of the additions determines the rounding. */
export function log(x: number): number {
  if (!(x > 0 && x < Infinity)) return Math.log(x);
  let [fraction, exponent] = splitFloat(x);
  if (fraction < Math.SQRT1_2) {
    fraction *= 2;
    exponent--;
  }
  const f = fraction - 1;
  const s = f / (2 + f);
  const square = s * s;
  const odd = ODD_TERMS.reduce((sum, term) => term + square * square * sum);
  const even = EVEN_TERMS.reduce((sum, term) => term + square * square * sum);
  const half = 0.5 * f * f;
  const rest = half + (square * odd + square * square * even);
  return exponent * LN2_SHORT - (half - (s * rest + exponent * LN2_REST) - f);
}

/** e to a power between -700 and 700; outside that range, the host's result is used. */
export function exp(x: number): number {
  if (!(Math.abs(x) < 700)) return Math.exp(x);
  const exponent = roundToEven(x * LOG2_E);
  let rest = multiplyAdd(-exponent, LN2_UPPER, x);
  rest = multiplyAdd(-exponent, LN2_LOWER, rest) * 0.0625;
  // The series for a sixteenth of the argument, minus one; four squarings then give the result.
  const sum = SERIES.reduce((sum, term) => multiplyAdd(rest, sum, term));
  let value = rest * sum;
  for (let i = 0; i < 3; i++) value *= value + 2;
  return multiplyAdd(value + 2, value, 1) * 2 ** exponent;
}

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const gap = value - floor;
  if (gap !== 0.5) return gap < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** a × b + c, rounded once. */
function multiplyAdd(a: number, b: number, c: number): number {
  const [x, y, z] = [exactFloat(a), exactFloat(b), exactFloat(c)];
  const product = { digits: x.digits * y.digits, exponent: x.exponent + y.exponent };
  const exponent = Math.min(product.exponent, z.exponent);
  const shifted = ({ digits, exponent: own }: ExactFloat) => digits << BigInt(own - exponent);
  const sum = shifted(product) + shifted(z);
  // A bigint becomes the nearest float, ties to even; the powers of two that follow are exact.
  const shift = Math.max(0, sum.toString(2).length - 1000);
  return Number(sum >> BigInt(shift)) * 2 ** (exponent + shift);
}
