/**
 * Parses JSON of any size in pieces, so that the page stays responsive: a run with 50,000 nodes is ten megabytes.
 * Values and errors are those of `JSON.parse`.
 */
import { closingQuote } from "@tiphys/base/closing_quote";
import { fieldsOf, itemsOf } from "@tiphys/base/fields_of";
import { runWithPauses, yieldToTasks } from "./pauses.ts";

/** Characters per piece, which takes a fraction of a millisecond. */
const PIECE = 32 * 1024;
/** Texts up to this size are parsed at once. */
const SMALL = 4 * PIECE;
/** The characters that delimit members. */
const [QUOTE, COMMA, OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x22, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d] as const;
/** Deeper values are parsed at once, however large. */
const MAX_DEPTH = 32;

/** Parses a text; a large one with pauses. @throws {SyntaxError} if it is not valid JSON */
export async function readJson(text: string): Promise<unknown> {
  if (text.length <= SMALL) return JSON.parse(text);
  const value = await runWithPauses(parseInPieces(text));
  // The caller's work on a large value starts in a new task.
  await yieldToTasks();
  return value;
}

/** Parses a text; each `yield` is a pause for other work. @throws {SyntaxError} if it is not valid JSON */
export function* parseInPieces(text: string, piece = PIECE): Generator<undefined, unknown> {
  // The first access to a text that was concatenated flattens it, which takes as long as a slice for ten megabytes.
  const start = afterBlank(text, 0);
  yield;
  const { value, end } = yield* parseValueAt(text, start, piece, 0);
  if (afterBlank(text, end) < text.length) throw new SyntaxError(`Expected the end of the text at ${end}`);
  return value;
}

interface ParsedValue {
  readonly value: unknown;
  /** The offset after it. */
  readonly end: number;
}

function* parseValueAt(text: string, offset: number, piece: number, depth: number): Generator<undefined, ParsedValue> {
  const opening = text[offset];
  if (opening !== "{" && opening !== "[") {
    const end = scalarEnd(text, offset);
    const value: unknown = JSON.parse(text.slice(offset, end));
    return { value, end };
  }
  const end = containerEnd(text, offset, depth < MAX_DEPTH ? offset + piece : Infinity);
  if (end !== undefined) {
    const value: unknown = JSON.parse(text.slice(offset, end));
    return { value, end };
  }
  yield;
  return yield* parseLargeContainer(text, offset, piece, depth);
}

/** An object or array larger than a piece: several members are parsed at once. */
function* parseLargeContainer(
  text: string,
  offset: number,
  piece: number,
  depth: number,
): Generator<undefined, ParsedValue> {
  const isObject = text[offset] === "{";
  const closing = isObject ? "}" : "]";
  const first = afterBlank(text, offset + 1);
  if (text[first] === closing) return { value: isObject ? {} : [], end: first + 1 };
  const members: Record<string, unknown> = {};
  const items: unknown[] = [];
  const put = (name: string, value: unknown) => {
    // An assignment would set the object's prototype.
    if (name === "__proto__") Object.defineProperty(members, name, { value, ...PLAIN });
    else members[name] = value;
  };
  const take = (from: number, to: number) => {
    if (afterBlank(text, from) >= to) throw new SyntaxError(`Expected a member before ${to}`);
    if (isObject) {
      const some = fieldsOf(JSON.parse(`{${text.slice(from, to)}}`));
      for (const name of Object.keys(some)) put(name, some[name]);
    } else for (const item of itemsOf(JSON.parse(`[${text.slice(from, to)}]`))) items.push(item);
  };
  // Start of the first pending member, the last comma after it, and the nesting depth of the scan.
  let [start, comma, inside] = [offset + 1, -1, 0];
  let i = offset + 1;
  while (true) {
    if (i >= text.length) throw new SyntaxError(`Expected ${closing} before the end of the text`);
    if (i - start > piece) {
      if (comma >= 0) {
        take(start, comma);
        start = comma + 1;
        comma = -1;
      } else {
        // A single member is larger than a piece.
        const read = yield* parseMemberAt(text, start, isObject, piece, depth);
        if (isObject) put(read.name, read.value);
        else items.push(read.value);
        i = afterBlank(text, read.end);
        if (text[i] === closing) return { value: isObject ? members : items, end: i + 1 };
        if (text[i] !== ",") throw new SyntaxError(`Expected , or ${closing} at ${i}`);
        [start, comma, inside] = [++i, -1, 0];
      }
      yield;
      continue;
    }
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = stringEnd(text, i);
        continue;
      case OPEN_OBJECT:
      case OPEN_LIST:
        inside++;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (inside-- > 0) break;
        if (text[i] !== closing) throw new SyntaxError(`Expected ${closing} at ${i}`);
        take(start, i);
        return { value: isObject ? members : items, end: i + 1 };
      case COMMA:
        if (inside === 0) comma = i;
        break;
    }
    i++;
  }
}

const PLAIN = { enumerable: true, configurable: true, writable: true } as const;

function* parseMemberAt(
  text: string,
  start: number,
  isNamed: boolean,
  piece: number,
  depth: number,
): Generator<undefined, ParsedValue & { readonly name: string }> {
  const from = afterBlank(text, start);
  if (!isNamed) return { name: "", ...yield* parseValueAt(text, from, piece, depth + 1) };
  if (text[from] !== '"') throw new SyntaxError(`Expected a name at ${from}`);
  const end = stringEnd(text, from);
  const colon = afterBlank(text, end);
  if (text[colon] !== ":") throw new SyntaxError(`Expected : at ${colon}`);
  const name = String(JSON.parse(text.slice(from, end)));
  return { name, ...yield* parseValueAt(text, afterBlank(text, colon + 1), piece, depth + 1) };
}

/** Returns the end of an object or array that ends before an offset, or undefined. */
function containerEnd(text: string, offset: number, before: number): number | undefined {
  let inside = 0;
  for (let i = offset; i < before;) {
    if (i >= text.length) throw new SyntaxError("Expected the end of an object or a list before the end of the text");
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = stringEnd(text, i);
        continue;
      case OPEN_OBJECT:
      case OPEN_LIST:
        inside++;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (--inside === 0) return i + 1;
        break;
    }
    i++;
  }
  return undefined;
}

/** Returns the offset after a string. */
function stringEnd(text: string, offset: number): number {
  const end = closingQuote(text, offset);
  if (end < 0) throw new SyntaxError(`Expected the end of the text that begins at ${offset}`);
  return end + 1;
}

function scalarEnd(text: string, offset: number): number {
  if (text[offset] === '"') return stringEnd(text, offset);
  let end = offset;
  while (end < text.length && !" \t\n\r,]}".includes(text[end]!)) end++;
  return end;
}

function afterBlank(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && " \t\n\r".includes(text[end]!)) end++;
  return end;
}
