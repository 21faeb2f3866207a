/** Kubernetes resource quantities (`500m`, `1.5Gi`, `1e3`): parsing, comparison, addition, and canonical format. */
import { UserError } from "../user_error.ts";
import { BINARY_SUFFIXES, DECIMAL_SUFFIXES, NANO, type QuantityFormat, readQuantity } from "./quantity_pattern.ts";
import { MAX_INT64, wrapInt64 } from "./number.ts";

/** The error of an invalid quantity, with the message of Kubernetes. */
export class QuantityError extends UserError {
  override name = "QuantityError";
}

const DECIMAL_SUFFIX = new Map([...DECIMAL_SUFFIXES].map(([suffix, exponent]) => [exponent, suffix]));

/** An exact decimal with its output format. */
export class Quantity {
  private constructor(
    /** The value is `unscaled` × 10^`scale`. */
    private readonly unscaled: bigint,
    private readonly scale: number,
    readonly format: QuantityFormat,
    /** Whether Kubernetes stores it in 64 bits, which determines how results overflow. */
    private readonly small: boolean,
    private readonly written?: string,
  ) {}

  /** Parses a quantity; throws a QuantityError. Fractions smaller than 10^-9 are rounded up. */
  static parse(text: string): Quantity {
    const read = readQuantity(text);
    if (typeof read === "string") throw new QuantityError(read);
    if (text === "0") return new Quantity(0n, 0, "DecimalSI", true, text);
    const { isNegative, number, fraction, format, exponent, isShort } = read;
    const digits = number + fraction;
    const value = BigInt(digits) * (isNegative ? -1n : 1n);
    const scale = (format === "BinarySI" ? 0 : exponent) - fraction.length;
    if (isShort) {
      const factor = format === "BinarySI" ? 1n << BigInt(exponent) : 1n;
      const product = value * factor;
      if (product <= MAX_INT64 && product >= -MAX_INT64) {
        const canonical = format === "BinarySI"
          ? exponent % 10 === 0 && (value & 7n) !== 0n
          : scale % 3 === 0 && !digits.endsWith("000") && digits[0] !== "0";
        return new Quantity(product, scale, format, true, canonical ? text : undefined);
      }
    }
    return Quantity.large(format === "BinarySI" ? value << BigInt(exponent) : value, scale, format);
  }

  private static large(unscaled: bigint, scale: number, format: QuantityFormat): Quantity {
    const rounded = unscaled === 0n ? 0n : rescale(unscaled, scale, NANO);
    if (format !== "BinarySI") return new Quantity(rounded, NANO, format, false);
    const size = rounded < 0n ? -rounded : rounded;
    if (size > MAX_INT64 * 10n ** 9n) return new Quantity(rounded < 0n ? -MAX_INT64 : MAX_INT64, 0, format, false);
    return new Quantity(rounded, NANO, size > 0n && size < 10n ** 9n ? "DecimalSI" : format, false);
  }

  /** Returns the canonical text; a quantity that was parsed from canonical text returns that text. */
  toString(): string {
    if (this.written !== undefined) return this.written;
    if (this.unscaled === 0n) return "0";
    if (this.format === "BinarySI") {
      const integer = this.integer();
      if (integer !== undefined && (integer >= 1024n || integer <= -1024n)) return binaryText(integer);
    }
    return decimalText(this.unscaled, this.scale, this.format);
  }

  /** `Value()`: rounded up (away from zero) to an integer. Results that exceed 64 bits are those of Kubernetes. */
  value(): bigint {
    return this.scaled(0);
  }

  /** `MilliValue()`: rounded up to thousandths. */
  milliValue(): bigint {
    return this.scaled(-3);
  }

  private scaled(scale: number): bigint {
    if (!this.small) return scaleLarge(this.unscaled, this.scale, scale);
    const exact = rescale(this.unscaled, this.scale, scale);
    const wrapped = wrapInt64(exact);
    if (wrapped === exact) return wrapped;
    // Kubernetes multiplies by these powers of ten at once, and by others in steps until it detects the overflow.
    return [1, 2, 3, 6, 9].includes(this.scale - scale) ? wrapped : 0n;
  }

  /** `AsApproximateFloat64()`. */
  toNumber(): number {
    const base = Number(this.unscaled);
    return this.scale === 0 ? base : base * powerOfTen(this.scale);
  }

  /** Returns a negative number, zero or a positive number if this is less than, equal to or greater than the other. */
  compare(other: Quantity): number {
    const scale = Math.min(this.scale, other.scale);
    const [a, b] = [rescale(this.unscaled, this.scale, scale), rescale(other.unscaled, other.scale, scale)];
    return a < b ? -1 : a > b ? 1 : 0;
  }

  /** Returns the sum, in this quantity's format (in the other's if this is zero). */
  add(other: Quantity): Quantity {
    const scale = Math.min(this.scale, other.scale);
    const sum = rescale(this.unscaled, this.scale, scale) + rescale(other.unscaled, other.scale, scale);
    const format = this.unscaled === 0n ? other.format : this.format;
    return new Quantity(sum, scale, format, this.small && other.small);
  }

  /** Returns the difference, in the format that `add` would choose. */
  subtract(other: Quantity): Quantity {
    return this.add(new Quantity(-other.unscaled, other.scale, other.format, other.small));
  }

  private integer(): bigint | undefined {
    const integer = rescale(this.unscaled, this.scale, 0);
    const scale = Math.min(this.scale, 0);
    return rescale(integer, 0, scale) === rescale(this.unscaled, this.scale, scale) ? integer : undefined;
  }
}

/** Converts an unscaled value to another scale, rounding away from zero. */
function rescale(unscaled: bigint, from: number, to: number): bigint {
  if (to <= from) return unscaled * 10n ** BigInt(from - to);
  const divisor = 10n ** BigInt(to - from);
  const cut = unscaled / divisor;
  if (cut * divisor === unscaled) return cut;
  return unscaled < 0n ? cut - 1n : cut + 1n;
}

/**
 * Converts a value that Kubernetes does not store in 64 bits to another scale, as Kubernetes does: a value above the
 * largest int64 is rounded up; any other value, including a negative one, is first truncated to 64 bits, and any
 * remainder adds one.
 */
function scaleLarge(unscaled: bigint, from: number, to: number): bigint {
  if (to <= from || unscaled >= MAX_INT64) return wrapInt64(rescale(unscaled, from, to));
  const divisor = 10n ** BigInt(to - from);
  const low = wrapInt64(unscaled);
  return low / divisor + (low % divisor === 0n ? 0n : 1n);
}

/** `math.Pow10`: the product of two exact or rounded powers, which is not always the nearest float. */
function powerOfTen(exponent: number): number {
  const size = Math.abs(exponent);
  const rest = size % 32;
  const power = (sign: string, digits: number) => Number(`1e${sign}${digits}`);
  if (exponent >= 0) return exponent > 308 ? Infinity : power("", size - rest) * power("", rest);
  return exponent < -323 ? 0 : power("-", size - rest) / power("", rest);
}

function binaryText(integer: bigint): string {
  let power = 0;
  while (integer % 1024n === 0n && power < BINARY_SUFFIXES.length - 1) {
    integer /= 1024n;
    power++;
  }
  return `${integer}${BINARY_SUFFIXES[power]}`;
}

/** Beyond the SI suffixes, only the number is printed: Kubernetes prints 1e21 as `1`. */
function decimalText(unscaled: bigint, scale: number, format: QuantityFormat): string {
  while (unscaled % 10n === 0n) {
    unscaled /= 10n;
    scale++;
  }
  const over = ((scale % 3) + 3) % 3;
  const number = unscaled * 10n ** BigInt(over);
  const exponent = scale - over;
  if (format === "DecimalExponent") return exponent === 0 ? String(number) : `${number}e${exponent}`;
  return `${number}${DECIMAL_SUFFIX.get(exponent) ?? ""}`;
}
