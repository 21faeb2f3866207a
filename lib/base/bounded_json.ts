/**
 * JSON texts of others, read no deeper than our walks over objects go, and with no more values than a caller allows: a text
 * beyond that is refused before any of it is made.
 */
import { closingQuote } from "./closing_quote.ts";
import { formatPath } from "./field_path.ts";
import { tooDeep } from "./nesting.ts";
import { LIMITS } from "./limits.ts";

/** The bounds of a text. */
export interface JsonLimits {
  /** Levels of lists and objects: what an object may have, unless others are around it. */
  readonly depth?: number;
  /** Values, lists and objects among them: a short text of empty lists is large in memory. */
  readonly values?: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The value of a JSON text.
 * @throws {SyntaxError} for invalid JSON, in the parser's words, and for a text beyond the limits, with the place.
 */
export function parseJson(text: string, { depth = LIMITS.depth, values = Infinity }: JsonLimits = {}): unknown {
  const problem = depthProblem(text, depth) ?? countProblem(text, values);
  if (problem === undefined) return JSON.parse(text);
  throw new SyntaxError(problem);
}

/** The reason why a text may have too many values; undefined when it does not. */
function countProblem(text: string, most: number): string | undefined {
  // Each value but the first follows one of these characters.
  if (text.length <= most) return undefined;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case COMMA:
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++values > most) return `the text has more than ${most} values`;
    }
  }
  return undefined;
}

/** What is wrong with a JSON text that is nested deeper than `deepest`, with the place; undefined where it is not. */
export function depthProblem(text: string, deepest: number = LIMITS.depth): string | undefined {
  const place = placeBelow(text, deepest);
  return place === undefined ? undefined : `${formatPath(wayTo(text, place))}: ${tooDeep(deepest)}`;
}

/** Where a text opens more lists and objects than `deepest`; undefined where it never does. */
function placeBelow(text: string, deepest: number): number | undefined {
  if (text.length <= deepest) return undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > deepest) return at;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
    }
  }
  return undefined;
}

/** The place of the quote that ends a string; the text's end where there is none. */
function endOfString(text: string, start: number): number {
  const end = closingQuote(text, start);
  return end < 0 ? text.length : end;
}

/** The number of steps that are shown of the way to a place that is too deep. */
const SHOWN = 10;

/** The first steps of the way to a place of a text: the fields and elements that it lies in. */
function wayTo(text: string, place: number): (string | number)[] {
  const way: (string | number)[] = [];
  for (let at = 0; at < place; at++) {
    const step = way.at(-1);
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        if (typeof step === "string" && isName(text, end)) way[way.length - 1] = stringIn(text.slice(at, end + 1));
        at = end;
        break;
      }
      case OPEN_LIST:
        way.push(0);
        break;
      case OPEN_OBJECT:
        way.push("");
        break;
      case COMMA:
        if (typeof step === "number") way[way.length - 1] = step + 1;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        way.pop();
    }
  }
  return way.slice(0, SHOWN);
}

/** Whether the string that ends there is the name of a field: a colon follows. */
function isName(text: string, end: number): boolean {
  COLON.lastIndex = end + 1;
  return COLON.test(text);
}

const COLON = /[ \t\r\n]*:/y;

/** What a string says; its own letters where it is none. */
function stringIn(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
