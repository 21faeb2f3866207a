/** Parses times by Go's layouts. */
import { UserError } from "../user_error.ts";
import { civilFromDays, daysFromCivil } from "./calendar.ts";
import { type Chunk, piecesOf } from "./layout.ts";
import { quoteBytes } from "./quote.ts";
import { type CivilTime, GoTime, MONTHS, WEEKDAYS } from "./time.ts";
import { GoZone } from "./zone.ts";

/** The error of a time that does not match its layout, with Go's message. */
export class TimeParseError extends UserError {
  override name = "TimeParseError";
}

interface Fields {
  year: number;
  month: number;
  day: number;
  yearDay: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  afternoon?: boolean;
  offset?: number;
  /** The text marks the zone as UTC; this overrides any zone name. */
  isUTC?: boolean;
  zoneName?: string;
}

/** `time.ParseInLocation`: fields absent from the layout are zero; a time without an offset is local to `zone`. */
export function parseTime(layout: string, text: string, zone: GoZone = GoZone.UTC): GoTime {
  const fields: Fields = { year: 0, month: -1, day: -1, yearDay: -1, hour: 0, minute: 0, second: 0, nanosecond: 0 };
  let rest = text;
  const pieces = piecesOf(layout);
  for (const [i, piece] of pieces.entries()) {
    const fail = (): never => {
      const quoted = `parsing time ${quoteBytes(text)} as ${quoteBytes(layout)}: cannot parse ${quoteBytes(rest)} as ${
        quoteBytes(piece.text)
      }`;
      throw new TimeParseError(quoted);
    };
    if (piece.kind === "text") {
      const after = skipText(rest, piece.text);
      rest = after ?? fail();
      continue;
    }
    // "_2" also matches a blank; seconds may be followed by a fraction that the layout does not have.
    const taken = readChunk(piece.chunk, piece.text, rest, fields);
    if (taken === undefined) fail();
    else if (typeof taken === "string") {
      throw new TimeParseError(`parsing time ${quoteBytes(text)}: ${taken} out of range`);
    } else rest = rest.slice(taken);
    const next = pieces[i + 1];
    if ((piece.chunk === "05" || piece.chunk === "5") && !(next?.kind === "chunk" && next.chunk === "fraction")) {
      const fraction = /^[.,][0-9]+/.exec(rest)?.[0];
      if (fraction !== undefined) {
        fields.nanosecond = readNanoseconds(fraction.slice(1));
        rest = rest.slice(fraction.length);
      }
    }
  }
  if (rest !== "") throw new TimeParseError(`parsing time ${quoteBytes(text)}: extra text: ${quoteBytes(rest)}`);
  return assemble(fields, text, zone);
}

function skipText(value: string, text: string): string | undefined {
  let rest = value;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === " ") {
      if (rest !== "" && rest[0] !== " ") return undefined;
      while (text[i + 1] === " ") i++;
      rest = rest.replace(/^ +/, "");
      continue;
    }
    if (rest[0] !== text[i]) return undefined;
    rest = rest.slice(1);
  }
  return rest;
}

function readNanoseconds(digits: string): number {
  return Number(digits.slice(0, 9).padEnd(9, "0"));
}

/**
 * Reads one chunk. Returns the number of characters read, undefined for no match, or the name of a field out of range.
 */
function readChunk(chunk: Chunk, pattern: string, text: string, fields: Fields): number | string | undefined {
  const number = (pattern: RegExp, set: (value: number) => void, low = -Infinity, high = Infinity, name = "") => {
    const match = pattern.exec(text);
    if (!match) return undefined;
    const value = Number(match[0]);
    if (value < low || value > high) return name;
    set(value);
    return match[0].length;
  };
  const word = (names: readonly string[], length: number | undefined, set: (index: number) => void) => {
    const lower = text.toLowerCase();
    for (const [index, name] of names.entries()) {
      const shown = name.slice(0, length);
      if (!lower.startsWith(shown.toLowerCase())) continue;
      set(index);
      return shown.length;
    }
    return undefined;
  };
  switch (chunk) {
    case "January":
      return word(MONTHS, undefined, (i) => fields.month = i + 1);
    case "Jan":
      return word(MONTHS, 3, (i) => fields.month = i + 1);
    case "1":
      return number(/^[0-9]{1,2}/, (v) => fields.month = v, 1, 12, "month");
    case "01":
      return number(/^[0-9]{2}/, (v) => fields.month = v, 1, 12, "month");
    case "Monday":
      return word(WEEKDAYS, undefined, () => {});
    case "Mon":
      return word(WEEKDAYS, 3, () => {});
    case "2":
      return number(/^[0-9]{1,2}/, (v) => fields.day = v);
    case "_2": {
      const blank = text.startsWith(" ") ? 1 : 0;
      const match = /^[0-9]{1,2}/.exec(text.slice(blank));
      if (!match) return undefined;
      fields.day = Number(match[0]);
      return blank + match[0].length;
    }
    case "02":
      return number(/^[0-9]{2}/, (v) => fields.day = v);
    case "__2": {
      const match = /^ {0,2}[0-9]{1,3}/.exec(text);
      if (!match) return undefined;
      fields.yearDay = Number(match[0]);
      return match[0].length;
    }
    case "002":
      return number(/^[0-9]{3}/, (v) => fields.yearDay = v);
    case "15":
      return number(/^[0-9]{1,2}/, (v) => fields.hour = v, 0, 23, "hour");
    case "3":
      return number(/^[0-9]{1,2}/, (v) => fields.hour = v, 0, 12, "hour");
    case "03":
      return number(/^[0-9]{2}/, (v) => fields.hour = v, 0, 12, "hour");
    case "4":
      return number(/^[0-9]{1,2}/, (v) => fields.minute = v, 0, 59, "minute");
    case "04":
      return number(/^[0-9]{2}/, (v) => fields.minute = v, 0, 59, "minute");
    case "5":
      return number(/^[0-9]{1,2}/, (v) => fields.second = v, 0, 59, "second");
    case "05":
      return number(/^[0-9]{2}/, (v) => fields.second = v, 0, 59, "second");
    case "2006":
      return number(/^[0-9]{4}/, (v) => fields.year = v);
    case "06":
      return number(/^[0-9]{2}/, (v) => fields.year = v >= 69 ? 1900 + v : 2000 + v);
    case "PM":
    case "pm":
      return readHalf(chunk, text, fields);
    case "MST":
      return readZoneName(text, fields);
    case "fraction":
      return readFraction(pattern, text, fields);
    default:
      return readOffset(chunk, text, fields);
  }
}

function readHalf(chunk: string, text: string, fields: Fields): number | undefined {
  const half = text.slice(0, 2);
  const upper = chunk === "PM";
  if (half === (upper ? "PM" : "pm")) fields.afternoon = true;
  else if (half === (upper ? "AM" : "am")) fields.afternoon = false;
  else return undefined;
  return 2;
}

function readFraction(pattern: string, text: string, fields: Fields): number | undefined {
  if (pattern[1] === "9") {
    const fraction = /^[.,][0-9]+/.exec(text)?.[0];
    if (fraction === undefined) return 0;
    fields.nanosecond = readNanoseconds(fraction.slice(1));
    return fraction.length;
  }
  // Reads as many characters as the pattern has and uses the first nine digits.
  const digits = text.slice(1, Math.min(10, pattern.length));
  if (!/^[.,]/.test(text) || !/^[0-9]+$/.test(digits) || text.length < pattern.length) return undefined;
  fields.nanosecond = readNanoseconds(digits);
  return pattern.length;
}

function readZoneName(text: string, fields: Fields): number | undefined {
  if (text.startsWith("UTC")) {
    fields.isUTC = true;
    return 3;
  }
  const name = zoneNameAt(text);
  fields.zoneName = name;
  return name?.length;
}

/** Returns a zone abbreviation at the start of a text: letters in a known form, GMT with hours, or hours alone. */
function zoneNameAt(text: string): string | undefined {
  if (text.length < 3) return undefined;
  if (text.startsWith("GMT")) return `GMT${signedHours(text.slice(3)) ?? ""}`;
  return signedHours(text) ?? /^(ChST|MeST|(WITA|[A-Z]{3,4}T|[A-Z]{3})(?![A-Z]))/.exec(text)?.[0];
}

function signedHours(text: string): string | undefined {
  const hours = /^[+-][0-9]+/.exec(text)?.[0];
  return hours !== undefined && Math.abs(Number(hours)) <= 23 ? hours : undefined;
}

function readOffset(chunk: string, text: string, fields: Fields): number | undefined | string {
  if (chunk.startsWith("Z") && text.startsWith("Z")) {
    fields.isUTC = true;
    return 1;
  }
  const digits = chunk.replace(/[^0-9]/g, "").length;
  const mark = chunk.includes(":") ? ":" : "";
  const pattern = `^([+-])([0-9]{2})` + (digits >= 4 ? `${mark}([0-9]{2})` : "") +
    (digits === 6 ? `${mark}([0-9]{2})` : "");
  // deno-lint-ignore tiphys/linear-regexp -- it takes nine characters at most
  const match = new RegExp(pattern).exec(text);
  if (!match) return undefined;
  const [hours, minutes, seconds] = [Number(match[2]), Number(match[3] ?? 0), Number(match[4] ?? 0)];
  if (hours > 24) return "time zone offset hour";
  if (minutes > 60) return "time zone offset minute";
  fields.offset = (match[1] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
  return match[0].length;
}

function assemble(fields: Fields, text: string, zone: GoZone): GoTime {
  const outOfRange = (name: string) => new TimeParseError(`parsing time ${quoteBytes(text)}: ${name} out of range`);
  let { hour } = fields;
  if (fields.afternoon === true && hour < 12) hour += 12;
  else if (fields.afternoon === false && hour === 12) hour = 0;
  let month = fields.month < 0 ? 1 : fields.month;
  let day = fields.day < 0 ? 1 : fields.day;
  if (fields.yearDay >= 0) {
    const length = daysFromCivil(fields.year + 1, 1, 1) - daysFromCivil(fields.year, 1, 1);
    if (fields.yearDay < 1 || fields.yearDay > length) throw outOfRange("day-of-year");
    ({ month, day } = civilFromDays(daysFromCivil(fields.year, 1, fields.yearDay)));
    const fault = fields.month >= 0 && fields.month !== month
      ? "month"
      : fields.day >= 0 && fields.day !== day
      ? "day"
      : "";
    if (fault !== "") {
      throw new TimeParseError(`parsing time ${quoteBytes(text)}: day-of-year does not match ${fault}`);
    }
  }
  if (day < 1 || day > daysFromCivil(fields.year, month + 1, 1) - daysFromCivil(fields.year, month, 1)) {
    throw outOfRange("day");
  }
  const civil: CivilTime = { ...fields, month, day, hour };
  if (fields.isUTC) return GoTime.fromCivil(civil);
  if (fields.offset !== undefined) {
    const utc = GoTime.fromCivil(civil);
    const seconds = utc.seconds - fields.offset;
    // The local zone is used when it has the given offset.
    const local = zone.at(seconds);
    const agrees = local.seconds === fields.offset && (fields.zoneName ?? local.abbreviation) === local.abbreviation;
    return new GoTime(seconds, utc.nanosecond, agrees ? zone : GoZone.fixed(fields.offset, fields.zoneName));
  }
  if (fields.zoneName === undefined) return GoTime.fromCivil(civil, zone);
  const utc = GoTime.fromCivil(civil);
  const known = zone.offsetNamed(fields.zoneName, utc.seconds);
  if (known !== undefined) return new GoTime(utc.seconds - known, utc.nanosecond, zone);
  // An unknown abbreviation means a zone with offset zero, except for GMT+h, which contains its offset.
  const shift = /^GMT([+-][0-9]+)$/.exec(fields.zoneName);
  const offset = shift ? Number(shift[1]) * 3600 : 0;
  return new GoTime(utc.seconds - offset, utc.nanosecond, GoZone.fixed(offset, fields.zoneName));
}
