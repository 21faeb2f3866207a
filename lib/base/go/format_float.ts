/** The notations in which Go prints a float64; none of them equals JavaScript's. */
import { roundToPlace } from "./exact.ts";

interface Decimal {
  readonly negative: boolean;
  /** The shortest digits that read back as the same number, without leading or trailing zeros ("0" for zero). */
  readonly digits: string;
  /** The position of the decimal point: the value is 0.digits × 10^point. */
  readonly point: number;
}

function shortestDecimal(value: number): Decimal {
  const [mantissa = "", exponent] = Math.abs(value).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  return { negative: value < 0 || Object.is(value, -0), digits, point: Number(exponent) + 1 };
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return "NaN";
  if (value === Infinity) return "+Inf";
  if (value === -Infinity) return "-Inf";
  return undefined;
}

function formatPositional({ negative, digits, point }: Decimal): string {
  const sign = negative ? "-" : "";
  if (digits === "0") return sign + "0";
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits + "0".repeat(point - digits.length);
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

function scientific({ negative, digits, point }: Decimal, exponentWidth: number): string {
  const exponent = point - 1;
  const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
  const size = String(Math.abs(exponent)).padStart(exponentWidth, "0");
  return `${negative ? "-" : ""}${mantissa}e${exponent < 0 ? "-" : "+"}${size}`;
}

/** `fmt %v`: an exponent of at least two digits below 1e-4 and from 1e6. */
export function formatFloat(value: number): string {
  const odd = special(value);
  if (odd !== undefined) return odd;
  const decimal = shortestDecimal(value);
  const exponent = decimal.point - 1;
  return value !== 0 && (exponent < -4 || exponent >= 6) ? scientific(decimal, 2) : formatPositional(decimal);
}

/**
 * `json.Marshal`: an exponent below 1e-6 and from 1e21, without padding. The caller rejects values that JSON does not
 * support.
 */
export function formatFloatJson(value: number): string {
  const size = Math.abs(value);
  const decimal = shortestDecimal(value);
  return size !== 0 && (size < 1e-6 || size >= 1e21) ? scientific(decimal, 1) : formatPositional(decimal);
}

/** `strconv.FormatFloat(v, 'f', -1, 64)`: never an exponent; the text of a parameter that is written as a number. */
export function formatFloatPlain(value: number): string {
  return special(value) ?? formatPositional(shortestDecimal(value));
}

/** `%.<digits>f`: exactly `digits` digits after the point; ties of the exact value round to even. */
export function formatFloatFixed(value: number, digits = 6): string {
  const odd = special(value);
  if (odd !== undefined) return odd;
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const text = String(roundToPlace(Math.abs(value), -digits)).padStart(digits + 1, "0");
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** `%.<digits>e`: one digit before the point and `digits` after it, with the same rounding. */
export function formatFloatExponent(value: number, digits = 6): string {
  const odd = special(value);
  if (odd !== undefined) return odd;
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  let exponent = size === 0 ? 0 : shortestDecimal(size).point - 1;
  let text = String(roundToPlace(size, exponent - digits)).padStart(digits + 1, "0");
  if (text.length > digits + 1) {
    text = text.slice(0, -1);
    exponent++;
  }
  const mantissa = digits === 0 ? text : `${text[0]}.${text.slice(1)}`;
  return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
