/**
 * The text of a log line as a terminal shows it: the last state of overwritten text, colors as tokens, and other
 * control characters visible or removed. Takes time in proportion to the line.
 */

/** A part of a line with one style. */
export interface Span {
  readonly text: string;
  /** The names of its style: `bold`, `red`, `bright-red`; empty for plain text. */
  readonly style: string;
}

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** Returns what is visible after all carriage returns: the last state of a progress bar. */
export function lastState(text: string): string {
  const end = text.endsWith("\r") ? text.length - 1 : text.length;
  return text.slice(text.lastIndexOf("\r", end - 1) + 1, end);
}

// deno-lint-ignore no-control-regex -- escape sequences begin with one
const SEQUENCE = /\x1b(?:\[([0-9;:]*)([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])/g;
// deno-lint-ignore no-control-regex -- they are what is replaced
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Splits a line into spans. */
export function spansOf(line: string): Span[] {
  const text = lastState(line);
  const spans: Span[] = [];
  let style = PLAIN;
  let from = 0;
  const add = (to: number) => {
    if (to > from) spans.push({ text: text.slice(from, to).replace(CONTROL, symbolOf), style: nameOf(style) });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    add(match.index);
    if (match[2] === "m") style = styleAfter(style, match[1] ?? "");
    from = match.index + match[0].length;
  }
  add(text.length);
  return spans;
}

/** Returns the text of a line without styles. */
export function plainText(line: string): string {
  return spansOf(line).map(({ text }) => text).join("");
}

interface Style {
  readonly bold: boolean;
  readonly dim: boolean;
  readonly underline: boolean;
  readonly colour: string;
}

const PLAIN: Style = { bold: false, dim: false, underline: false, colour: "" };

function nameOf({ bold, dim, underline, colour }: Style): string {
  return [bold && "bold", dim && "dim", underline && "underline", colour].filter(Boolean).join(" ");
}

function styleAfter(style: Style, codes: string): Style {
  const numbers = codes.split(/[;:]/).map(Number);
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i]!;
    if (code === 38 || code === 48) i += numbers[i + 1] === 5 ? 2 : 4; // Custom colors are ignored, so that text stays readable.
    else style = { ...style, ...styleChangeOf(code) };
  }
  return style;
}

function styleChangeOf(code: number): Partial<Style> {
  if (code === 0) return PLAIN;
  if (code === 1) return { bold: true };
  if (code === 2) return { dim: true };
  if (code === 4) return { underline: true };
  if (code === 22) return { bold: false, dim: false };
  if (code === 24) return { underline: false };
  if (code === 39) return { colour: "" };
  if (code >= 30 && code <= 37) return { colour: COLOURS[code - 30]! };
  if (code >= 90 && code <= 97) return { colour: `bright-${COLOURS[code - 90]!}` };
  return {};
}

/** The symbol of a control character: `␀`. */
function symbolOf(control: string): string {
  const code = control.codePointAt(0)!;
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : code === 0x7f ? "\u2421" : "\ufffd";
}
