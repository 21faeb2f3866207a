/** Argo's lenient types: parameters written as numbers or booleans, and numbers written as text. */
import { UserError } from "../user_error.ts";
import { formatFloatPlain } from "./format_float.ts";
import { atoi } from "./number.ts";

/**
 * Returns the text of a value where a string is expected. Numbers pass through float64 and never have an exponent;
 * null, lists and maps become the empty string. An unpaired surrogate becomes U+FFFD.
 */
export function anyString(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value.toWellFormed();
    case "boolean":
      return String(value);
    case "number":
      return formatFloatPlain(value);
    case "bigint":
      return formatFloatPlain(Number(value));
    default:
      return "";
  }
}

/**
 * Returns an IntOrString as a 32-bit integer; undefined when it is absent. A text that exceeds 32 bits is truncated to
 * them; a number that exceeds 32 bits is rejected.
 * @throws {UserError} when it is not an integer, or a number that exceeds 32 bits.
 */
export function intOrStringToInt32(value: number | string | null | undefined): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "number") {
    if ((value | 0) === value) return value | 0;
    throw new UserError(`json: cannot unmarshal number ${value} into Go value of type int32`);
  }
  return Number(BigInt.asIntN(32, integerOf(value)));
}

/** As {@link intOrStringToInt32}, but a text may have 64 bits. A number that exceeds 32 bits is rejected too. */
export function intOrStringToInt64(value: number | string | null | undefined): bigint | undefined {
  if (typeof value === "string") return integerOf(value);
  const number = intOrStringToInt32(value);
  return number === undefined ? undefined : BigInt(number);
}

function integerOf(text: string): bigint {
  const number = atoi(text);
  if (number === undefined) throw new UserError(`value '${text}' cannot be resolved to an int`);
  return number;
}

/** Whether an IntOrString is valid in a spec: an integer, the text of one, or a text with a tag. */
export function isIntOrString(value: number | string | null | undefined): boolean {
  if (typeof value !== "string") return true;
  return atoi(value) !== undefined || (value.startsWith("{{") && value.endsWith("}}"));
}
