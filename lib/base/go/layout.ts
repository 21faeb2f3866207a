/**
 * Go's time layouts, which show how the reference time, Mon Jan 2 15:04:05 MST 2006, would be formatted.
 * `layout_parse.ts` parses times by them.
 */
import { trimCharacters } from "./text.ts";
import { type CivilTime, type GoTime, monthName, weekdayName } from "./time.ts";

export const RFC3339 = "2006-01-02T15:04:05Z07:00";
export const RFC3339_NANO = "2006-01-02T15:04:05.999999999Z07:00";
export const RFC822 = "02 Jan 06 15:04 MST";
export const RFC850 = "Monday, 02-Jan-06 15:04:05 MST";
export const RFC1123 = "Mon, 02 Jan 2006 15:04:05 MST";
/** The layout in which `Time.String()` and `%v` print. */
export const TIME_STRING = "2006-01-02 15:04:05.999999999 -0700 MST";

/** The chunks of a layout; a chunk that begins with another one comes first. */
const CHUNKS = [
  "January",
  "Jan",
  "Monday",
  "Mon",
  "MST",
  "2006",
  "002",
  "01",
  "02",
  "03",
  "04",
  "05",
  "06",
  "15",
  "-07:00:00",
  "-070000",
  "-07:00",
  "-0700",
  "-07",
  "Z07:00:00",
  "Z070000",
  "Z07:00",
  "Z0700",
  "Z07",
  "__2",
  "_2",
  "PM",
  "pm",
  "1",
  "2",
  "3",
  "4",
  "5",
] as const;
/** A chunk of the reference time. */
export type Chunk = typeof CHUNKS[number] | "fraction";

/** A part of a layout: literal text, or a chunk of the reference time. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "chunk"; readonly chunk: Chunk; readonly text: string };

/** The maximum number of cached layouts, and the maximum length of a cached one. */
const MAX_CACHED = 500;
const MAX_CACHED_LENGTH = 200;
const layoutCache = new Map<string, readonly Piece[]>();

/** Splits a layout into its pieces. */
export function piecesOf(layout: string): readonly Piece[] {
  const cached = layoutCache.get(layout);
  if (cached !== undefined) return cached;
  const pieces: Piece[] = [];
  let text = "";
  for (let offset = 0; offset < layout.length;) {
    const piece = chunkAt(layout, offset);
    if (piece === undefined) {
      text += layout[offset++];
      continue;
    }
    if (text !== "") pieces.push({ kind: "text", text });
    text = "";
    pieces.push(piece);
    offset += piece.text.length;
  }
  if (text !== "") pieces.push({ kind: "text", text });
  if (layoutCache.size < MAX_CACHED && layout.length <= MAX_CACHED_LENGTH) layoutCache.set(layout, pieces);
  return pieces;
}

function chunkAt(layout: string, offset: number): Extract<Piece, { kind: "chunk" }> | undefined {
  const rest = layout.slice(offset);
  const fraction = /^[.,](0+|9+)(?![0-9])/.exec(rest);
  if (fraction) return { kind: "chunk", chunk: "fraction", text: fraction[0] };
  for (const chunk of CHUNKS) {
    if (!rest.startsWith(chunk)) continue;
    // "Jan" within a longer lower-case word is not a month, and "_2" before "006" is not a day.
    if ((chunk === "Jan" || chunk === "Mon") && /^[a-z]/.test(rest.slice(3))) continue;
    if (chunk === "_2" && rest.startsWith("_2006")) return undefined;
    return { kind: "chunk", chunk, text: chunk };
  }
  return undefined;
}

/** `Time.Format`. */
export function formatTime(time: GoTime, layout: string): string {
  const civil = time.civil();
  let out = "";
  for (const piece of piecesOf(layout)) {
    out += piece.kind === "text" ? piece.text : formatChunk(piece, time, civil);
  }
  return out;
}

function pad(value: number, width: number, filler = "0"): string {
  return (value < 0 ? "-" : "") + String(Math.abs(value)).padStart(width, filler);
}

function formatChunk(piece: { chunk: Chunk; text: string }, time: GoTime, civil: CivilTime): string {
  const hour12 = civil.hour % 12 === 0 ? 12 : civil.hour % 12;
  switch (piece.chunk) {
    case "January":
      return monthName(civil.month);
    case "Jan":
      return monthName(civil.month).slice(0, 3);
    case "1":
      return String(civil.month);
    case "01":
      return pad(civil.month, 2);
    case "Monday":
      return weekdayName(time.weekday);
    case "Mon":
      return weekdayName(time.weekday).slice(0, 3);
    case "2":
      return String(civil.day);
    case "_2":
      return pad(civil.day, 2, " ");
    case "02":
      return pad(civil.day, 2);
    case "__2":
      return pad(time.yearDay, 3, " ");
    case "002":
      return pad(time.yearDay, 3);
    case "15":
      return pad(civil.hour, 2);
    case "3":
      return String(hour12);
    case "03":
      return pad(hour12, 2);
    case "4":
      return String(civil.minute);
    case "04":
      return pad(civil.minute, 2);
    case "5":
      return String(civil.second);
    case "05":
      return pad(civil.second, 2);
    case "2006":
      return pad(civil.year, 4);
    case "06":
      return pad(((civil.year % 100) + 100) % 100, 2);
    case "PM":
      return civil.hour >= 12 ? "PM" : "AM";
    case "pm":
      return civil.hour >= 12 ? "pm" : "am";
    case "MST":
      return time.offset.abbreviation || formatOffset(time.offset.seconds, false, false);
    case "fraction":
      return formatFraction(piece.text, civil.nanosecond);
    default:
      return formatZoneChunk(piece.chunk, time.offset.seconds);
  }
}

/** At most nine digits are printed, even if the pattern has more. */
function formatFraction(pattern: string, nanosecond: number): string {
  const digits = pad(nanosecond, 9).slice(0, pattern.length - 1);
  if (pattern[1] === "0") return pattern[0] + digits;
  const trimmed = trimCharacters(digits, "0", "right");
  return trimmed === "" ? "" : pattern[0] + trimmed;
}

function formatZoneChunk(chunk: string, seconds: number): string {
  if (chunk.startsWith("Z") && seconds === 0) return "Z";
  const digits = chunk.replace(/[^0-9]/g, "").length;
  const full = formatOffset(seconds, chunk.includes(":"), digits === 6);
  return digits === 2 ? full.slice(0, 3) : full;
}

/** `+0530`, `+05:30`, `+05:30:00`. */
function formatOffset(seconds: number, colon: boolean, withSeconds: boolean): string {
  const size = Math.abs(seconds);
  const mark = colon ? ":" : "";
  const base = pad(Math.trunc(size / 3600), 2) + mark + pad(Math.trunc((size % 3600) / 60), 2);
  return (seconds < 0 ? "-" : "+") + base + (withSeconds ? mark + pad(size % 60, 2) : "");
}
