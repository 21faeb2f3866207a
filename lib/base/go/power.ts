/** `math.Pow` with Go's exact result: the host's power function sometimes differs in the last digit. */
import { splitFloat } from "./exact.ts";
import { exp, log } from "./exponential.ts";

/** Returns x to the power of y. */
export function pow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (y === 1) return x;
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  if (x === -1 && !Number.isFinite(y)) return 1;
  if (x === 0 || !Number.isFinite(x) || !Number.isFinite(y)) return x ** y;
  if (y === 0.5) return Math.sqrt(x);
  if (y === -0.5) return 1 / Math.sqrt(x);
  let whole = Math.trunc(Math.abs(y));
  let fraction = Math.abs(y) - whole;
  if (fraction !== 0 && x < 0) return NaN;
  if (whole >= 2 ** 63) return x ** y;
  let result = 1;
  let exponent = 0;
  if (fraction !== 0) {
    if (fraction > 0.5) {
      fraction--;
      whole++;
    }
    result = exp(fraction * log(x));
  }
  // Exponentiation by squaring, with separate mantissa and exponent, so that no intermediate result overflows.
  let [mantissa, scale] = splitFloat(x);
  for (let rest = BigInt(whole); rest !== 0n; rest >>= 1n) {
    if (scale < -4096 || scale > 4096) {
      exponent += scale;
      break;
    }
    if ((rest & 1n) === 1n) {
      result *= mantissa;
      exponent += scale;
    }
    mantissa *= mantissa;
    scale *= 2;
    if (mantissa < 0.5) {
      mantissa += mantissa;
      scale--;
    }
  }
  return y < 0 ? join(1 / result, -exponent) : join(result, exponent);
}

function join(fraction: number, exponent: number): number {
  if (exponent > 2100) return fraction * Infinity;
  if (exponent < -2200) return fraction * 0;
  let [value, rest] = [fraction, exponent];
  for (; rest > 1000; rest -= 1000) value *= 2 ** 1000;
  // Small results are rounded only once, in the last step.
  for (; rest < -1000; rest += 1000) value *= 2 ** -1000;
  return value * 2 ** rest;
}
