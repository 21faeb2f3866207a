/** Parses Go's numbers: 64-bit integers as bigint, floats as number. */

export const MAX_INT64 = 0x7fffffffffffffffn;
export const MIN_INT64 = -0x8000000000000000n;

/** Wraps an integer to 64 bits, as Go's arithmetic does. */
export function wrapInt64(value: bigint): bigint {
  return value > MAX_INT64 || value < MIN_INT64 ? BigInt.asIntN(64, value) : value;
}

/** Truncates a float to an integer; out of range, the result is the smallest int64, as on amd64. */
export function truncateToInt64(value: number): bigint {
  if (!(value > -9223372036854775809 && value < 9223372036854775808)) return MIN_INT64;
  return BigInt(Math.trunc(value));
}

/** The reason why a text is not a valid number: `syntax`, or `range` (too large). */
export type NumberFault = "syntax" | "range";

/** A parsed number, or the reason why parsing failed. */
export type NumberResult<T> = { readonly ok: true; readonly value: T } | {
  readonly ok: false;
  readonly fault: NumberFault;
};

/** More digits than any 64-bit integer has. */
const TOO_MANY_DIGITS = 21;

/**
 * Returns the value of decimal digits. A number beyond 64 bits is replaced by another one beyond 64 bits: the time to
 * convert a number to binary grows faster than its length.
 */
export function digitsToInteger(digits: string): bigint {
  return BigInt(digits.replace(/^0+/, "").slice(0, TOO_MANY_DIGITS));
}

/** `strconv.Atoi`: a sign and decimal digits, nothing else, within 64 bits. */
export function parseDecimal(text: string): NumberResult<bigint> {
  if (!/^[+-]?[0-9]+$/.test(text)) return { ok: false, fault: "syntax" };
  return inRange(digitsToInteger(text.replace(/^[+-]/, "")), text.startsWith("-"));
}

/** `strconv.Atoi`, or undefined where Go would report an error. */
export function atoi(text: string): bigint | undefined {
  const result = parseDecimal(text);
  return result.ok ? result.value : undefined;
}

/**
 * Returns the result of `strconv.Atoi` for Go code that ignores its error: the nearest int64, or 0 for a text that is
 * not a number.
 */
export function nearestInteger(text: string): bigint {
  const result = parseDecimal(text);
  if (result.ok) return result.value;
  // Go stops as soon as the number is certain to be too large, before it sees an invalid character.
  const digits = /^[+-]?([0-9]+)/.exec(text)?.[1] ?? "";
  const isTooLarge = result.fault === "range" || digitsToInteger(digits) > 0xffff_ffff_ffff_ffffn;
  return isTooLarge ? (text.startsWith("-") ? MIN_INT64 : MAX_INT64) : 0n;
}

const PREFIXES: readonly [RegExp, string, RegExp][] = [
  [/^0x/i, "0x", /^[0-9a-f_]+$/i],
  [/^0b/i, "0b", /^[01_]+$/],
  [/^0o/i, "0o", /^[0-7_]+$/],
  [/^0(?=[0-9_])/, "0o", /^[0-7_]+$/],
  [/^/, "", /^[0-9_]+$/],
];

/** `strconv.ParseInt(text, 0, 64)`: also `0x`, `0b`, `0o`, octal by a leading zero, and underscores between digits. */
export function parseInteger(text: string): NumberResult<bigint> {
  const negative = text.startsWith("-");
  const body = text.replace(/^[+-]/, "");
  for (const [prefix, base, digits] of PREFIXES) {
    if (!prefix.test(body)) continue;
    const rest = body.replace(prefix, "");
    // An underscore must be between two digits or after the prefix.
    if (!digits.test(rest) || rest.endsWith("_") || rest.includes("__") || (base === "" && rest.startsWith("_"))) {
      return { ok: false, fault: "syntax" };
    }
    const plain = rest.replaceAll("_", "");
    return inRange(base === "" ? digitsToInteger(plain) : BigInt(base + plain), negative);
  }
  return { ok: false, fault: "syntax" };
}

function inRange(size: bigint, negative: boolean): NumberResult<bigint> {
  const value = negative ? -size : size;
  return value > MAX_INT64 || value < MIN_INT64 ? { ok: false, fault: "range" } : { ok: true, value };
}

const DECIMAL_FLOAT = /^[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?$/i;
const HEX_FLOAT = /^([+-]?)0x([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?[0-9]+)$/i;
const SPECIAL = /^([+-]?)(inf|infinity|nan)$/i;

/** `strconv.ParseFloat(text, 64)`: decimal, hexadecimal with a `p` exponent, `inf` and `nan`; `_` between digits. */
export function parseFloat64(written: string): NumberResult<number> {
  const odd = SPECIAL.exec(written);
  if (odd) {
    const [, sign, word = ""] = odd;
    if (word.toLowerCase() === "nan") {
      return sign === "" ? { ok: true, value: NaN } : { ok: false, fault: "syntax" };
    }
    return { ok: true, value: sign === "-" ? -Infinity : Infinity };
  }
  const text = written.replace(/(?<=[0-9a-f]|^[+-]?0x)_(?=[0-9a-f])/gi, "");
  if (DECIMAL_FLOAT.test(text)) return finite(Number(text));
  const hex = HEX_FLOAT.exec(text);
  if (hex === null) return { ok: false, fault: "syntax" };
  const [, sign, whole, fraction = "", exponent] = hex;
  if (whole + fraction === "") return { ok: false, fault: "syntax" };
  const value = scaleByTwo(Number(BigInt("0x" + whole + fraction)), Number(exponent) - 4 * fraction.length);
  return finite(sign === "-" ? -value : value);
}

function scaleByTwo(value: number, shift: number): number {
  // Two steps keep numbers near the edges of the range from passing through infinity or zero.
  const half = Math.trunc(shift / 2);
  return value * 2 ** half * 2 ** (shift - half);
}

function finite(value: number): NumberResult<number> {
  return Number.isFinite(value) ? { ok: true, value } : { ok: false, fault: "range" };
}
