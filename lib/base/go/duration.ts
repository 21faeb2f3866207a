/** Durations as int64 nanoseconds, and the three formats in which Argo reads them. */
import { UserError } from "../user_error.ts";
import { atoi, digitsToInteger, MAX_INT64, MIN_INT64 } from "./number.ts";
import { quoteBytes } from "./quote.ts";
import { trimCharacters } from "./text.ts";

export const NANOSECOND = 1n;
export const MICROSECOND = 1_000n;
export const MILLISECOND = 1_000_000n;
export const SECOND = 1_000_000_000n;
export const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;

const UNITS: Readonly<Record<string, bigint>> = {
  ns: NANOSECOND,
  us: MICROSECOND,
  "µs": MICROSECOND,
  "μs": MICROSECOND,
  ms: MILLISECOND,
  s: SECOND,
  m: MINUTE,
  h: HOUR,
};

/** The error of an invalid duration, with Go's message. */
export class DurationError extends UserError {
  override name = "DurationError";
}

/** `time.ParseDuration` in nanoseconds (`1h30m`, `1.5s`, `-2ms`); throws a DurationError. There is no unit for days. */
export function parseDuration(text: string): bigint {
  const invalid = () => new DurationError(`time: invalid duration ${quoteBytes(text)}`);
  const negative = text.startsWith("-");
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") return 0n;
  if (rest === "") throw invalid();
  let total = 0n;
  while (rest !== "") {
    const number = /^([0-9]*)(?:\.([0-9]*))?/.exec(rest)!;
    const [matched, whole = "", fraction = ""] = number;
    if (whole === "" && fraction === "") throw invalid();
    const count = digitsToInteger(whole);
    if (count > -MIN_INT64) throw invalid();
    rest = rest.slice(matched.length);
    const unit = /^[^.0-9]*/.exec(rest)![0];
    if (unit === "") throw new DurationError(`time: missing unit in duration ${quoteBytes(text)}`);
    const size = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
    if (size === undefined) {
      throw new DurationError(`time: unknown unit ${quoteBytes(unit)} in duration ${quoteBytes(text)}`);
    }
    rest = rest.slice(unit.length);
    total += count * size;
    if (fraction !== "") total += partOfUnit(fraction, size);
    if (total > -MIN_INT64) throw invalid();
  }
  if (negative) return -total;
  if (total > MAX_INT64) throw invalid();
  return total;
}

/**
 * Returns the nanoseconds of the digits after a point. Go multiplies floats here, so `0.3333333333333333333h` is twenty
 * minutes.
 */
function partOfUnit(fraction: string, unit: bigint): bigint {
  let digits = 0n;
  let scale = 1;
  for (const digit of fraction) {
    // Digits that exceed 63 bits are dropped.
    if (digits > MAX_INT64 / 10n) break;
    const longer = digits * 10n + BigInt(digit);
    if (longer > -MIN_INT64) break;
    digits = longer;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(digits) * (Number(unit) / scale)));
}

/**
 * Parses a timeout, backoff or delay as Argo does, in nanoseconds: a plain integer is seconds, anything else a Go
 * duration.
 */
export function parseArgoDuration(text: string): bigint {
  const seconds = atoi(text);
  if (seconds !== undefined) return BigInt.asIntN(64, seconds * SECOND);
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new DurationError(`unable to parse ${text} as a duration: ${error.message}`, { cause: error });
  }
}

/** `Duration.String()`: `1h30m0s`, `1.5s`, `100ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < SECOND) {
    const [unit, name] = size < MICROSECOND
      ? [NANOSECOND, "ns"] as const
      : size < MILLISECOND
      ? [MICROSECOND, "µs"] as const
      : [MILLISECOND, "ms"] as const;
    return sign + withFraction(size, unit) + name;
  }
  const hours = size / HOUR;
  const minutes = (size % HOUR) / MINUTE;
  const seconds = withFraction(size % MINUTE, SECOND) + "s";
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : sign + seconds;
}

function withFraction(size: bigint, unit: bigint): string {
  const rest = size % unit;
  if (rest === 0n) return String(size / unit);
  const fraction = trimCharacters(String(rest).padStart(String(unit).length - 1, "0"), "0", "right");
  return `${size / unit}.${fraction}`;
}

/** `Duration.Seconds()` as a float. */
export function durationSeconds(nanoseconds: bigint): number {
  return inUnit(nanoseconds, SECOND);
}

/** Returns a duration as a float of units. The whole and fractional parts are added as in Go. */
export function inUnit(nanoseconds: bigint, unit: bigint): number {
  return Number(nanoseconds / unit) + Number(nanoseconds % unit) / Number(unit);
}

const DAY = 24n * HOUR;
const MONTH = 30n * DAY;
const YEAR = 12n * MONTH;

/** The phrase for durations below each bound; a phrase without a unit is complete. */
const PHRASES: readonly { readonly below: bigint; readonly phrase: string; readonly unit?: bigint }[] = [
  { below: SECOND, phrase: "0 seconds" },
  { below: 2n * SECOND, phrase: "1 second" },
  { below: MINUTE, phrase: "seconds", unit: SECOND },
  { below: 2n * MINUTE, phrase: "1 minute" },
  { below: HOUR, phrase: "minutes", unit: MINUTE },
  { below: 2n * HOUR, phrase: "1 hour" },
  { below: DAY, phrase: "hours", unit: HOUR },
  { below: 2n * DAY, phrase: "1 day" },
  { below: 7n * DAY, phrase: "days", unit: DAY },
  { below: 14n * DAY, phrase: "1 week" },
  { below: MONTH, phrase: "weeks", unit: 7n * DAY },
  { below: 2n * MONTH, phrase: "1 month" },
  { below: YEAR, phrase: "months", unit: MONTH },
  { below: 18n * MONTH, phrase: "1 year" },
  { below: 2n * YEAR, phrase: "2 years" },
  { below: 37n * YEAR, phrase: "years", unit: YEAR },
];

/**
 * Formats a duration for people: its largest unit and a smaller one (`2 hours 30 minutes`), or only the largest if
 * `truncated`.
 */
export function humanizeDuration(nanoseconds: bigint, truncated = false): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const step = PHRASES.find(({ below }) => size < below);
  const largest = step === undefined
    ? "a long while"
    : step.unit === undefined
    ? step.phrase
    : `${size / step.unit} ${step.phrase}`;
  // Negative durations count as short: only their largest unit is shown.
  if (truncated || nanoseconds < MINUTE) return largest;
  // The smaller unit is truncated from a float, in which one nanosecond less than an hour may equal the hour.
  const finer = (unit: bigint, wrap: number) => Math.trunc(inUnit(size, unit) % wrap);
  if (size < HOUR) return `${largest} ${finer(SECOND, 60)} seconds`;
  if (size < DAY) return `${largest} ${finer(MINUTE, 60)} minutes`;
  return `${largest} ${finer(HOUR, 24)} hours`;
}
