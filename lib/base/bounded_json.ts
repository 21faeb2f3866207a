/** Parses untrusted JSON. The nesting depth and the number of values are checked before any value is allocated. */
import { closingQuote } from "./closing_quote.ts";
import { formatPath } from "./field_path.ts";
import { nestingMessage } from "./nesting.ts";
import { LIMITS } from "./limits.ts";

/** Limits of a JSON text. */
export interface JsonLimits {
  /** Maximum nesting depth of lists and objects. Default: the depth that a whole object may have. */
  readonly depth?: number;
  /** Maximum number of values, including lists and objects. A short text of many empty lists needs much memory. */
  readonly values?: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Parses a JSON text.
 * @throws {SyntaxError} for invalid JSON, with the message of the parser; for a text that exceeds a limit, with the
 * field.
 */
export function parseJson(text: string, { depth = LIMITS.depth, values = Infinity }: JsonLimits = {}): unknown {
  const place = firstExcess(text, depth, values);
  if (place === undefined) return JSON.parse(text);
  throw new SyntaxError(
    place < text.length ? depthMessage(text, place, depth) : `the text has more than ${values} values`,
  );
}

/** Returns an error message with the field when a JSON text is nested deeper than `deepest` levels. */
export function depthProblem(text: string, deepest: number = LIMITS.depth): string | undefined {
  const place = firstExcess(text, deepest);
  return place === undefined ? undefined : depthMessage(text, place, deepest);
}

function depthMessage(text: string, index: number, deepest: number): string {
  return `${formatPath(pathToPosition(text, index))}: ${nestingMessage(deepest)}`;
}

/**
 * Returns the position of the first bracket that opens a level deeper than `deepest`, else the length of a text with
 * more than `max` values.
 */
function firstExcess(text: string, deepest: number, max = Infinity): number | undefined {
  if (text.length <= deepest && text.length <= max) return undefined;
  let depth = 0;
  let values = 1;
  for (let offset = 0; offset < text.length; offset++) {
    switch (text.charCodeAt(offset)) {
      case QUOTE:
        offset = endOfString(text, offset);
        break;
      // Each value but the first follows one of these characters.
      case COMMA:
        values++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        values++;
        if (++depth > deepest) return offset;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
    }
  }
  return values > max ? text.length : undefined;
}

/** Returns the position of the quote that ends a string, or the end of the text when the string is not closed. */
function endOfString(text: string, start: number): number {
  const end = closingQuote(text, start);
  return end < 0 ? text.length : end;
}

/** The number of path segments that an error message shows. */
const SHOWN_SEGMENTS = 10;

/** Returns the first segments of the path to a position: the fields and indexes that enclose it. */
function pathToPosition(text: string, index: number): (string | number)[] {
  const way: (string | number)[] = [];
  for (let position = 0; position < index; position++) {
    const step = way.at(-1);
    switch (text.charCodeAt(position)) {
      case QUOTE: {
        const end = endOfString(text, position);
        if (typeof step === "string" && isFieldName(text, end)) {
          way[way.length - 1] = unquoted(text.slice(position, end + 1));
        }
        position = end;
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
  return way.slice(0, SHOWN_SEGMENTS);
}

/** Whether the string that ends at `end` is a field name: a colon follows it. */
function isFieldName(text: string, end: number): boolean {
  COLON.lastIndex = end + 1;
  return COLON.test(text);
}

const COLON = /[ \t\r\n]*:/y;

/** Returns the value of a quoted string, or the text unchanged when it is not valid JSON. */
function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
