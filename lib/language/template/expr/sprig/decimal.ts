/** Exact decimals for `addf` and similar functions of sprig, so that 0.1 + 0.2 is 0.3. */

const DIVISION_DIGITS = 16;

/** A number as an integer times a power of ten. */
export class Decimal {
  private constructor(private readonly digits: bigint, private readonly exponent: number) {}

  /** Returns the shortest decimal that parses to the float, which must be finite. */
  static from(value: number): Decimal {
    const [mantissa = "", exponent] = value.toExponential().split("e");
    const [whole, fraction = ""] = mantissa.split(".");
    return new Decimal(BigInt(whole + fraction), Number(exponent) - fraction.length);
  }

  private scaledTo(exponent: number): bigint {
    return this.digits * 10n ** BigInt(this.exponent - exponent);
  }

  add(other: Decimal): Decimal {
    const exponent = Math.min(this.exponent, other.exponent);
    return new Decimal(this.scaledTo(exponent) + other.scaledTo(exponent), exponent);
  }

  subtract(other: Decimal): Decimal {
    return this.add(new Decimal(-other.digits, other.exponent));
  }

  multiply(other: Decimal): Decimal {
    return new Decimal(this.digits * other.digits, this.exponent + other.exponent);
  }

  /** Returns the quotient, rounded half away from zero to 16 decimals; undefined for a division by zero. */
  divide(other: Decimal): Decimal | undefined {
    if (other.digits === 0n) return undefined;
    const shift = this.exponent - other.exponent + DIVISION_DIGITS;
    const dividend = shift >= 0 ? this.digits * 10n ** BigInt(shift) : this.digits;
    const divisor = shift >= 0 ? other.digits : other.digits * 10n ** BigInt(-shift);
    const quotient = dividend / divisor;
    const rest = dividend % divisor;
    const half = absolute(rest) * 2n >= absolute(divisor);
    const away = (dividend < 0n) === (divisor < 0n) ? 1n : -1n;
    return new Decimal(half ? quotient + away : quotient, -DIVISION_DIGITS);
  }

  toNumber(): number {
    return Number(`${this.digits}e${this.exponent}`);
  }
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
