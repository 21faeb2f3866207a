/** The grammar of Kubernetes quantities without their arithmetic, so that validation loads less code. */

/** Sign, whole digits, digits after the point, suffix. */
const PATTERN = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*|)$/;
const RULE = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const BAD_SUFFIX = "unable to parse quantity's suffix";
const NO_NUMBER = "unable to parse numeric part of quantity";

/** Powers of ten by suffix. */
export const DECIMAL_SUFFIXES: ReadonlyMap<string, number> = new Map(
  Object.entries({ n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }),
);
/** Suffixes of powers of 1024, starting with no suffix. */
export const BINARY_SUFFIXES: readonly string[] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
/** The finest decimal place that Kubernetes stores. */
export const NANO = -9;
/** Maximum exponent; larger ones would only cost time and memory. */
const MAX_EXPONENT = 100_000;

/** The notation of a quantity, in which results are printed too. */
export type QuantityFormat = "DecimalSI" | "DecimalExponent" | "BinarySI";

/** The parsed parts of a quantity. */
export interface QuantityParts {
  readonly isNegative: boolean;
  /** Digits before the point, without leading zeros; at least one. */
  readonly number: string;
  readonly fraction: string;
  readonly format: QuantityFormat;
  /** The exponent of 2 for `BinarySI`, else of 10. */
  readonly exponent: number;
  /** Whether Kubernetes stores the digits in 64 bits, judging by their number. */
  readonly isShort: boolean;
}

/** Parses a quantity. For an invalid one, returns the message of Kubernetes. */
export function readQuantity(text: string): QuantityParts | string {
  const match = PATTERN.exec(text);
  if (text === "" || match === null) return RULE;
  const [, sign, whole = "", fraction = "", suffix = ""] = match;
  const read = readSuffix(suffix);
  if (read === undefined) return BAD_SUFFIX;
  const { format, exponent } = read;
  const number = whole.replace(/^0+/, "") || "0";
  const scale = (format === "BinarySI" ? 0 : exponent) - fraction.length;
  const isShort = isShortNumber(number, fraction, read) && scale >= NANO;
  if (!isShort && whole + fraction === "") return NO_NUMBER;
  return { isNegative: sign === "-", number, fraction, format, exponent, isShort };
}

/** Returns the message of Kubernetes for an invalid quantity. */
export function quantityProblem(text: string): string | undefined {
  const read = readQuantity(text);
  return typeof read === "string" ? read : undefined;
}

function readSuffix(suffix: string): Pick<QuantityParts, "format" | "exponent"> | undefined {
  const decimal = DECIMAL_SUFFIXES.get(suffix);
  if (decimal !== undefined) return { format: "DecimalSI", exponent: decimal };
  const power = BINARY_SUFFIXES.indexOf(suffix);
  if (power > 0) return { format: "BinarySI", exponent: power * 10 };
  const exponent = /^[eE]([+-]?[0-9]+)$/.exec(suffix);
  if (exponent === null || Math.abs(Number(exponent[1])) > MAX_EXPONENT) return undefined;
  return { format: "DecimalExponent", exponent: Number(exponent[1]) };
}

function isShortNumber(
  number: string,
  fraction: string,
  { format, exponent }: Pick<QuantityParts, "format" | "exponent">,
): boolean {
  if (format !== "BinarySI") return number.length + fraction.length <= 18;
  return fraction === "" && 15 - number.length - Math.trunc((exponent * 3) / 10) - 1 >= 0;
}
