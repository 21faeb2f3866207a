/**
 * JSON kept as text: loop items print the way they were written (`1.50`, `1e3`, keys in their order), which no parsed
 * value remembers.
 */
import { quoteJson } from "../go/json.ts";
import { jsonSyntaxError } from "../go/json_syntax.ts";
import { TemplateError } from "./error.ts";

/** Checks that a text is one JSON value and gives it without spaces, `<`, `>`, `&`, U+2028 and U+2029 escaped. */
export function compactJson(text: string): string {
  checkJson(text);
  let compact = "";
  let from = 0;
  for (let at = 0; at < text.length;) {
    if (text[at] === '"') at = endOfString(text, at);
    else if (isJsonSpace(text[at])) {
      compact += text.slice(from, at);
      while (isJsonSpace(text[at])) at++;
      from = at;
    } else at++;
  }
  return escapeHtml(compact + text.slice(from));
}

/** @throws {TemplateError} in Go's words when a text is not one JSON value. */
export function checkJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new TemplateError(jsonSyntaxError(text) ?? (error as Error).message, { cause: error });
  }
}

/** The texts of the elements of a compact JSON list. */
export function jsonElements(compact: string): string[] {
  return split(compact);
}

/** The entries of a compact JSON object: keys as values, values as texts. A repeated key keeps its last value. */
export function jsonEntries(compact: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const part of split(compact)) {
    const end = endOfString(part, 0);
    entries.set(JSON.parse(part.slice(0, end)), part.slice(end + 1));
  }
  return entries;
}

/** The text of one entry of a compact JSON object; of a repeated key the first. */
export function jsonEntry(compact: string, key: string): string | undefined {
  const found = split(compact).find((part) => JSON.parse(part.slice(0, endOfString(part, 0))) === key);
  return found?.slice(endOfString(found, 0) + 1);
}

/** A JSON object from keys and texts, its keys in byte order as given. */
export function joinEntries(entries: Iterable<readonly [string, string]>): string {
  return `{${Array.from(entries, ([key, text]) => `${quoteJson(key)}:${text}`).join(",")}}`;
}

/** `<`, `>` and `&` written plainly again. */
export function unescapeHtml(text: string): string {
  return text.includes("\\u00")
    ? text.replaceAll("\\u003c", "<").replaceAll("\\u003e", ">").replaceAll("\\u0026", "&")
    : text;
}

function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Cuts the inside of a compact list or object at its own commas. */
function split(compact: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 1;
  for (let at = 0; at < compact.length;) {
    const character = compact[at];
    if (character === '"') {
      at = endOfString(compact, at);
      continue;
    }
    if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
    if (depth === 0 || (depth === 1 && character === ",")) {
      if (at > from) parts.push(compact.slice(from, at));
      from = at + 1;
    }
    at++;
  }
  return parts;
}

/** The place after the closing quote of the string that opens at `at`. */
function endOfString(json: string, at: number): number {
  for (at++; json[at] !== '"'; at++) if (json[at] === "\\") at++;
  return at + 1;
}

function isJsonSpace(character: string | undefined): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}
