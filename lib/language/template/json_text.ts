/**
 * JSON kept as text: loop items are printed as they were written (`1.50`, `1e3`, keys in their order). Parsed values
 * would lose that.
 */
import { quoteJson } from "@tiphys/base/go/json";
import { jsonSyntaxError } from "@tiphys/base/go/json_syntax";
import { TemplateError } from "./error.ts";

/**
 * Checks that a text is one JSON value and returns it without spaces, with `<`, `>`, `&`, U+2028 and U+2029 escaped.
 */
export function compactJson(text: string): string {
  checkJson(text);
  let compact = "";
  let from = 0;
  for (let offset = 0; offset < text.length;) {
    if (text[offset] === '"') offset = endOfString(text, offset);
    else if (isJsonSpace(text[offset])) {
      compact += text.slice(from, offset);
      while (isJsonSpace(text[offset])) offset++;
      from = offset;
    } else offset++;
  }
  return escapeHtml(compact + text.slice(from));
}

/** @throws {TemplateError} with Go's message when a text is not one JSON value. */
export function checkJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new TemplateError(jsonSyntaxError(text) ?? (error as Error).message, { cause: error });
  }
}

/** Returns the texts of the elements of a compact JSON list. */
export function jsonElements(compact: string): string[] {
  return split(compact);
}

/** Returns the entries of a compact JSON object, with values as JSON texts. The last value of a repeated key counts. */
export function jsonEntries(compact: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const part of split(compact)) {
    const end = endOfString(part, 0);
    entries.set(JSON.parse(part.slice(0, end)), part.slice(end + 1));
  }
  return entries;
}

/** Returns the text of one entry of a compact JSON object. The first value of a repeated key counts. */
export function jsonEntry(compact: string, key: string): string | undefined {
  const found = split(compact).find((part) => JSON.parse(part.slice(0, endOfString(part, 0))) === key);
  return found?.slice(endOfString(found, 0) + 1);
}

/** Builds a JSON object from keys and JSON texts, in the given order. */
export function joinEntries(entries: Iterable<readonly [string, string]>): string {
  return `{${Array.from(entries, ([key, text]) => `${quoteJson(key)}:${text}`).join(",")}}`;
}

/** Undoes the escapes of `<`, `>` and `&`. */
export function unescapeHtml(text: string): string {
  return text.includes("\\u00")
    ? text.replaceAll("\\u003c", "<").replaceAll("\\u003e", ">").replaceAll("\\u0026", "&")
    : text;
}

function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Splits the inside of a compact list or object at its top-level commas. */
function split(compact: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 1;
  for (let offset = 0; offset < compact.length;) {
    const character = compact[offset];
    if (character === '"') {
      offset = endOfString(compact, offset);
      continue;
    }
    if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
    if (depth === 0 || (depth === 1 && character === ",")) {
      if (offset > from) parts.push(compact.slice(from, offset));
      from = offset + 1;
    }
    offset++;
  }
  return parts;
}

/** Returns the offset after the closing quote of the string that opens at `at`. */
function endOfString(json: string, offset: number): number {
  for (offset++; json[offset] !== '"'; offset++) if (json[offset] === "\\") offset++;
  return offset + 1;
}

function isJsonSpace(character: string | undefined): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}
