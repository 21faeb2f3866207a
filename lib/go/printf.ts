/** `fmt.Sprintf` for the values templates can name: integers, floats, strings, booleans and `%v` of anything. */
import { formatFloat, formatFloatExponent, formatFloatFixed } from "./format_float.ts";
import { formatValue } from "./format_value.ts";
import { escapeAscii, escapeCharacter, isPrintable, quote, quoteAscii } from "./quote.ts";
import { fromBytes, toBytes } from "./utf8.ts";
import { GoDuration, GoInt, typeOf, type Value } from "./value.ts";

interface Verb {
  readonly letter: string;
  readonly minus: boolean;
  readonly plus: boolean;
  readonly sharp: boolean;
  readonly space: boolean;
  readonly zero: boolean;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

const VERB = /%([-+# 0]*)(\*|[0-9]+)?(?:\.(\*|[0-9]*))?(?:\[([0-9]+)\])?([\s\S])?/gu;
const MAX_WIDTH = 1_000_000;
/** No float has more digits than this, and no integer is asked for more. */
const MOST_DIGITS = 1_100;

/** Formats like Go's `fmt.Sprintf`, its `%!d(string=x)`, `%!d(MISSING)` and `%!(EXTRA …)` included. */
export function sprintf(format: string, ...args: readonly Value[]): string {
  let next = 0;
  let reordered = false;
  const text = format.replace(VERB, (_whole, flags: string, width, precision, index, letter) => {
    if (letter === undefined) return "%!(NOVERB)";
    if (letter === "%") {
      reordered ||= index !== undefined;
      return "%";
    }
    if (index !== undefined) {
      reordered = true;
      next = Number(index) - 1;
    }
    let star: string | undefined;
    const number = (source: string | undefined, bad: string) => {
      if (source !== "*") return source === undefined ? undefined : Number(source || "0");
      const value = args[next++];
      if (typeof value === "bigint" && value <= MAX_WIDTH && value >= -MAX_WIDTH) return Number(value);
      star = (star ?? "") + bad;
      return undefined;
    };
    const columns = number(width, "%!(BADWIDTH)");
    const digits = number(precision, "%!(BADPREC)");
    if (columns !== undefined && Math.abs(columns) > MAX_WIDTH) return `%!(NOVERB)`;
    const verb: Verb = {
      letter,
      minus: flags.includes("-") || (columns ?? 0) < 0,
      plus: flags.includes("+"),
      sharp: flags.includes("#"),
      space: flags.includes(" "),
      zero: flags.includes("0") && !flags.includes("-"),
      width: columns === undefined ? undefined : Math.abs(columns),
      precision: digits === undefined || digits < 0 ? undefined : Math.min(digits, MOST_DIGITS),
    };
    if (index !== undefined && (next < 0 || next >= args.length)) return `%!${letter}(BADINDEX)`;
    if (next >= args.length) return (star ?? "") + `%!${letter}(MISSING)`;
    return (star ?? "") + formatVerb(plainForV(verb), args[next++]);
  });
  if (reordered || next >= args.length) return text;
  const extra = args.slice(next).map((value) =>
    value === null ? "<nil>" : `${typeOf(value).text}=${formatValue(value)}`
  );
  return `${text}%!(EXTRA ${extra.join(", ")})`;
}

/** With `%v` the flags `+` and `#` ask for Go syntax, which only changes strings here. */
function plainForV(verb: Verb): Verb {
  return verb.letter === "v" ? { ...verb, plus: false } : verb;
}

function formatVerb(verb: Verb, value: Value): string {
  if (verb.letter === "T") {
    return formatString({ ...verb, letter: "s" }, value === null ? "<nil>" : typeOf(value).text, value);
  }
  if (value === null) return verb.letter === "v" ? pad(verb, "<nil>") : `%!${verb.letter}(<nil>)`;
  if (typeof value === "bigint" || (value instanceof GoInt && (value.label === undefined || verb.letter !== "v"))) {
    return formatInteger(verb, typeof value === "bigint" ? value : value.value, value);
  }
  if (typeof value === "number") return formatFloatVerb(verb, value);
  if (typeof value === "string") return formatString(verb, value, value);
  if (typeof value === "boolean") {
    return verb.letter === "t" || verb.letter === "v" ? pad(verb, String(value)) : bad(verb, value);
  }
  if (value instanceof Uint8Array && verb.letter !== "v") {
    return formatString(verb, fromBytes(value), value);
  }
  if (value instanceof GoDuration && verb.letter === "d") return formatInteger(verb, value.nanoseconds, value);
  return verb.letter === "v" || verb.letter === "s" ? pad(verb, formatValue(value)) : bad(verb, value);
}

function bad(verb: Verb, value: Value): string {
  return `%!${verb.letter}(${typeOf(value).text}=${formatVerb({ ...verb, letter: "v" }, value)})`;
}

function formatInteger(verb: Verb, value: bigint, original: Value): string {
  switch (verb.letter) {
    case "d":
    case "v":
      return integerDigits(verb, value, 10, "");
    case "b":
      return integerDigits(verb, value, 2, verb.sharp ? "0b" : "");
    case "o":
      return integerDigits(verb, value, 8, "", verb.sharp ? "0" : "");
    case "O":
      return integerDigits(verb, value, 8, "0o", verb.sharp ? "0" : "");
    case "x":
      return integerDigits(verb, value, 16, verb.sharp ? "0x" : "");
    case "X":
      return integerDigits(verb, value, 16, verb.sharp ? "0X" : "").replace(/[a-f]/g, (digit) => digit.toUpperCase());
    case "c":
      return pad(verb, character(value));
    case "q": {
      const quoted = `'${escapeCharacter(character(value), "'")}'`;
      return pad(verb, verb.plus ? escapeAscii(quoted) : quoted);
    }
    case "U": {
      const digits = BigInt.asUintN(64, value).toString(16).toUpperCase().padStart(
        Math.max(4, verb.precision ?? 4),
        "0",
      );
      const one = character(value);
      return pad(
        { ...verb, zero: false },
        `U+${digits}${verb.sharp && isCharacter(value) && isPrintable(one) ? ` '${one}'` : ""}`,
      );
    }
    default:
      return bad(verb, original);
  }
}

function isCharacter(code: bigint): boolean {
  return code >= 0n && code <= 0x10ffffn && !(code >= 0xd800n && code <= 0xdfffn);
}

function character(code: bigint): string {
  return isCharacter(code) ? String.fromCodePoint(Number(code)) : "\ufffd";
}

/** Digits with sign and prefix; `lead` is a digit they are to begin with. */
function integerDigits(verb: Verb, value: bigint, radix: number, prefix: string, lead = ""): string {
  const negative = value < 0n;
  const sign = negative ? "-" : verb.plus ? "+" : verb.space ? " " : "";
  let digits = (negative ? -value : value).toString(radix);
  if (verb.precision !== undefined) {
    if (verb.precision === 0 && value === 0n) return pad({ ...verb, zero: false }, "");
    digits = digits.padStart(verb.precision, "0");
  } else if (verb.zero && verb.width !== undefined) {
    // Zeros fill the field up to the sign; the prefix stands outside of it.
    digits = digits.padStart(verb.width - sign.length, "0");
  }
  if (!digits.startsWith(lead)) digits = lead + digits;
  return pad({ ...verb, zero: false }, sign + prefix + digits);
}

function formatString(verb: Verb, text: string, original: Value): string {
  const cut = verb.precision === undefined ? text : [...text].slice(0, verb.precision).join("");
  switch (verb.letter) {
    case "s":
    case "v":
      return pad(verb, verb.letter === "v" && verb.sharp ? quote(cut) : cut);
    case "q":
      return pad(
        verb,
        verb.sharp && !/[`\p{Cc}]/u.test(cut) ? "`" + cut + "`" : verb.plus ? quoteAscii(cut) : quote(cut),
      );
    case "x":
    case "X": {
      const bytes = [...toBytes(text)].slice(0, verb.precision);
      const hex = bytes.map((one) => one.toString(16).padStart(2, "0"));
      const prefix = verb.sharp && hex.length > 0 ? "0x" : "";
      const joined = verb.space ? hex.map((one) => prefix + one).join(" ") : prefix + hex.join("");
      return pad(verb, verb.letter === "X" ? joined.toUpperCase() : joined);
    }
    default:
      return bad(verb, original);
  }
}

function formatFloatVerb(verb: Verb, value: number): string {
  const digits = () => {
    switch (verb.letter) {
      case "v":
      case "g":
      case "G":
        return verb.precision === undefined ? formatFloat(value) : general(value, verb.precision);
      case "f":
      case "F":
        return formatFloatFixed(value, verb.precision ?? 6);
      case "e":
      case "E":
        return formatFloatExponent(value, verb.precision ?? 6);
      default:
        return undefined;
    }
  };
  const text = digits();
  if (text === undefined) return bad(verb, value);
  const shown = verb.letter === "E" || verb.letter === "G" ? text.toUpperCase() : text;
  const signed = /^[-+]/.test(shown) ? shown : (verb.plus ? "+" : verb.space ? " " : "") + shown;
  if (verb.zero && verb.width !== undefined && Number.isFinite(value)) {
    const sign = /^[-+ ]/.test(signed) ? signed[0] : "";
    return sign + signed.slice(sign.length).padStart(verb.width - sign.length, "0");
  }
  return pad({ ...verb, zero: false }, verb.plus || value < 0 ? signed : signed.replace(/^\+(?=Inf)/, "+"));
}

function general(value: number, precision: number): string {
  if (!Number.isFinite(value)) return formatFloat(value);
  const significant = Math.max(1, precision);
  const rounded = formatFloatExponent(value, significant - 1);
  const exponent = Number(rounded.split("e")[1]);
  const trim = (text: string) => text.includes(".") ? text.replace(/\.?0+(?=e|$)/, "") : text;
  if (exponent < -4 || exponent >= significant) return trim(rounded);
  return trim(formatFloatFixed(value, significant - 1 - exponent));
}

function pad(verb: Verb, text: string): string {
  if (verb.width === undefined) return text;
  const missing = verb.width - [...text].length;
  if (missing <= 0) return text;
  if (verb.minus) return text + " ".repeat(missing);
  return (verb.zero ? "0" : " ").repeat(missing) + text;
}
