/** `fmt.Sprintf` for the values of templates: integers, floats, strings, booleans, and `%v` of any value. */
import { formatFloat, formatFloatExponent, formatFloatFixed } from "./format_float.ts";
import { formatValue } from "./format_value.ts";
import { escapeAscii, escapeCharacter, isPrintable, quote, quoteAscii } from "./quote.ts";
import { trimCharacters } from "./text.ts";
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

/** Larger widths, precisions and indexes are invalid. */
const MAX_NUMBER = 1_000_000;
/** The maximum number of digits of a float. */
const MAX_DIGITS = 1_100;

/** `fmt.Sprintf`, including `%!d(string=x)`, `%!d(MISSING)` and `%!(EXTRA …)`. */
export function sprintf(format: string, ...args: readonly Value[]): string {
  return new Printer(format, args).print();
}

/** Formats from left to right, consuming arguments. */
class Printer {
  private out = "";
  private at = 0;
  private next = 0;
  /** Whether all argument indexes of the current verb are valid. */
  private goodIndex = true;
  /** Whether an argument index was used; unused arguments are then not reported. */
  private reordered = false;

  constructor(private readonly format: string, private readonly args: readonly Value[]) {}

  print(): string {
    for (;;) {
      const percent = this.format.indexOf("%", this.at);
      if (percent < 0) break;
      this.out += this.format.slice(this.at, percent);
      this.at = percent + 1;
      this.verb();
    }
    this.out += this.format.slice(this.at);
    if (this.reordered || this.next >= this.args.length) return this.out;
    const extra = this.args.slice(this.next).map((value) =>
      value === null ? "<nil>" : `${typeOf(value).text}=${formatValue(value)}`
    );
    return `${this.out}%!(EXTRA ${extra.join(", ")})`;
  }

  private verb(): void {
    this.goodIndex = true;
    const flags = this.flags();
    const width = this.width();
    const { digits, afterIndex } = this.precision(width.afterIndex);
    if (!afterIndex) this.index();
    const code = this.format.codePointAt(this.at);
    if (code === undefined) {
      this.out += "%!(NOVERB)";
      return;
    }
    const letter = String.fromCodePoint(code);
    this.at += letter.length;
    const value = this.args[this.next];
    if (letter === "%") this.out += "%";
    else if (!this.goodIndex) this.out += `%!${letter}(BADINDEX)`;
    else if (value === undefined) this.out += `%!${letter}(MISSING)`;
    else {
      this.next++;
      const minus = flags.includes("-") || (width.columns ?? 0) < 0;
      const verb: Verb = {
        letter,
        minus,
        plus: flags.includes("+"),
        sharp: flags.includes("#"),
        space: flags.includes(" "),
        zero: flags.includes("0") && !minus,
        width: width.columns === undefined ? undefined : Math.abs(width.columns),
        precision: digits,
      };
      this.out += formatVerb(plainForV(verb), value);
    }
  }

  private flags(): string {
    const start = this.at;
    while ("-+# 0".includes(this.format[this.at] ?? "x")) this.at++;
    return this.format.slice(start, this.at);
  }

  private width(): { columns: number | undefined; afterIndex: boolean } {
    const afterIndex = this.index();
    if (this.format[this.at] === "*") {
      const columns = this.star();
      if (columns === undefined) this.out += "%!(BADWIDTH)";
      return { columns, afterIndex: false };
    }
    const columns = this.number(this.format.length);
    // An index must directly precede the verb or a star.
    if (afterIndex && columns !== undefined) this.goodIndex = false;
    return { columns, afterIndex };
  }

  private precision(afterIndex: boolean): { digits: number | undefined; afterIndex: boolean } {
    // A point at the end of the format is the verb.
    if (this.format[this.at] !== "." || this.at + 1 >= this.format.length) return { digits: undefined, afterIndex };
    this.at++;
    if (afterIndex) this.goodIndex = false;
    const indexed = this.index();
    if (this.format[this.at] !== "*") return { digits: this.number(this.format.length) ?? 0, afterIndex: indexed };
    const digits = this.star();
    if (digits !== undefined && digits >= 0) return { digits, afterIndex: false };
    this.out += "%!(BADPREC)";
    return { digits: undefined, afterIndex: false };
  }

  /** Reads an argument index such as `[1]`, if present: that argument comes next. */
  private index(): boolean {
    if (this.format[this.at] !== "[") return false;
    this.reordered = true;
    const close = this.format.length - this.at < 3 ? -1 : this.format.indexOf("]", this.at);
    if (close < 0) {
      this.goodIndex = false;
      this.at++;
      return false;
    }
    this.at++;
    const index = this.number(close);
    const isNumber = index !== undefined && this.at === close;
    if (isNumber && index >= 1 && index <= this.args.length) this.next = index - 1;
    else this.goodIndex = false;
    this.at = close + 1;
    return isNumber;
  }

  /** Reads digits before `end`; for a number that is too large, skips to `end`. */
  private number(end: number): number | undefined {
    const start = this.at;
    while (this.at < end && /[0-9]/.test(this.format.charAt(this.at))) this.at++;
    if (this.at === start) return undefined;
    const value = Number(this.format.slice(start, this.at));
    if (value <= MAX_NUMBER) return value;
    this.at = end;
    return undefined;
  }

  /** Returns the argument of a star if it is an integer within the limit. */
  private star(): number | undefined {
    this.at++;
    if (this.next >= this.args.length) return undefined;
    const value = this.args[this.next++];
    const number = value instanceof GoInt ? value.value : value;
    if (typeof number !== "bigint" || number > MAX_NUMBER || number < -MAX_NUMBER) return undefined;
    return Number(number);
  }
}

/** With `%v` and `%w`, the flags `+` and `#` select Go syntax, which affects only strings here. */
function plainForV(verb: Verb): Verb {
  return verb.letter === "v" || verb.letter === "w" ? { ...verb, plus: false } : verb;
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
    return verb.letter === "t" || verb.letter === "v" ? pad(verb, String(value)) : badVerb(verb, value);
  }
  if (value instanceof Uint8Array && verb.letter !== "v") {
    return formatString(verb, fromBytes(value), value);
  }
  if (value instanceof GoDuration && verb.letter === "d") return formatInteger(verb, value.nanoseconds, value);
  return verb.letter === "v" || verb.letter === "s" ? pad(verb, formatValue(value)) : badVerb(verb, value);
}

function badVerb(verb: Verb, value: Value): string {
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
      const text = character(value);
      return pad(
        { ...verb, zero: false },
        `U+${digits}${verb.sharp && isCharacter(value) && isPrintable(text) ? ` '${text}'` : ""}`,
      );
    }
    default:
      return badVerb(verb, original);
  }
}

function isCharacter(code: bigint): boolean {
  return code >= 0n && code <= 0x10ffffn && !(code >= 0xd800n && code <= 0xdfffn);
}

function character(code: bigint): string {
  return isCharacter(code) ? String.fromCodePoint(Number(code)) : "\ufffd";
}

/** Formats digits with sign and prefix; `lead` is a digit that they must begin with. */
function integerDigits(verb: Verb, value: bigint, radix: number, prefix: string, lead = ""): string {
  const negative = value < 0n;
  const sign = negative ? "-" : verb.plus ? "+" : verb.space ? " " : "";
  let digits = (negative ? -value : value).toString(radix);
  if (verb.precision !== undefined) {
    if (verb.precision === 0 && value === 0n) return pad({ ...verb, zero: false }, "");
    digits = digits.padStart(verb.precision, "0");
  } else if (verb.zero && verb.width !== undefined) {
    // Zeros fill the field up to the sign; the prefix is not counted.
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
      const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
      const prefix = verb.sharp && hex.length > 0 ? "0x" : "";
      const joined = verb.space ? hex.map((digits) => prefix + digits).join(" ") : prefix + hex.join("");
      return pad(verb, verb.letter === "X" ? joined.toUpperCase() : joined);
    }
    default:
      return badVerb(verb, original);
  }
}

function formatFloatVerb(format: Verb, value: number): string {
  const verb = { ...format, precision: format.precision && Math.min(format.precision, MAX_DIGITS) };
  const digits = () => {
    switch (verb.letter) {
      case "v":
      case "g":
      case "G":
        return verb.precision === undefined ? formatFloat(value) : formatGeneral(value, verb.precision);
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
  if (text === undefined) return badVerb(verb, value);
  const shown = verb.letter === "E" || verb.letter === "G" ? text.toUpperCase() : text;
  const signed = /^[-+]/.test(shown) ? shown : (verb.plus ? "+" : verb.space ? " " : "") + shown;
  if (verb.zero && verb.width !== undefined && Number.isFinite(value)) {
    const sign = /^[-+ ]/.exec(signed)?.[0] ?? "";
    return sign + signed.slice(sign.length).padStart(verb.width - sign.length, "0");
  }
  return pad({ ...verb, zero: false }, verb.plus || value < 0 ? signed : signed.replace(/^\+(?=Inf)/, "+"));
}

function formatGeneral(value: number, precision: number): string {
  if (!Number.isFinite(value)) return formatFloat(value);
  const significant = Math.max(1, precision);
  const rounded = formatFloatExponent(value, significant - 1);
  const exponent = Number(rounded.split("e")[1]);
  const trim = (text: string) => {
    if (!text.includes(".")) return text;
    const [digits = "", power] = text.split("e");
    const short = trimCharacters(trimCharacters(digits, "0", "right"), ".", "right");
    return power === undefined ? short : `${short}e${power}`;
  };
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
