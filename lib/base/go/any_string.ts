/** Argo's leniencies about text: a parameter written as a number or boolean, a number written as text. */
import { UserError } from "../user_error.ts";
import { formatFloatPlain } from "./format_float.ts";
import { atoi } from "./number.ts";

/**
 * The text of a value written where a string belongs. Numbers pass through float64 and never show an exponent;
 * null, lists and maps become the empty text. Half a pair of surrogates is read as U+FFFD.
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
 * An IntOrString as a 32-bit integer, undefined where it is absent; throws where its text is no integer. A text of more
 * than 32 bits is cut to them, a number of more is refused.
 */
export function intOrStringToInt32(value: number | string | null | undefined): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "number") {
    if ((value | 0) === value) return value | 0;
    throw new UserError(`json: cannot unmarshal number ${value} into Go value of type int32`);
  }
  return Number(BigInt.asIntN(32, integerOf(value)));
}

/** An IntOrString whose text may have 64 bits, as {@link intOrStringToInt32}; where a number has them, it is refused too. */
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

/** Whether an IntOrString may stand in a spec: an integer, or text that is one or still holds a tag. */
export function isIntOrString(value: number | string | null | undefined): boolean {
  if (typeof value !== "string") return true;
  return atoi(value) !== undefined || (value.startsWith("{{") && value.endsWith("}}"));
}
