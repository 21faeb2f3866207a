/** Parses the text between brackets: keys, indexes, unions, ranges, scripts, filters. */
import { atoi } from "@tiphys/base/go";
import { failBranch } from "./path_error.ts";

/** One argument of a subscript: a number, a quoted key, a script, or a bare word, which is invalid everywhere. */
export type Argument =
  | { readonly kind: "number"; readonly value: bigint }
  | { readonly kind: "key"; readonly text: string }
  | { readonly kind: "script"; readonly text: string }
  | { readonly kind: "word"; readonly text: string };

/** A parsed subscript. */
export type Subscript =
  | { readonly kind: "wildcard" }
  | { readonly kind: "filter"; readonly script: string }
  | { readonly kind: "single"; readonly argument: Argument }
  | { readonly kind: "union"; readonly arguments: readonly Argument[] }
  | { readonly kind: "range"; readonly bounds: readonly (Argument | undefined)[] };

/**
 * Parses a token such as `['a','b']`.
 * @throws {PathError} when it has no valid form.
 */
export function parseSubscript(token: string): Subscript {
  const malformed = () => failBranch(`invalid token. '${token}' does not match any token format`);
  if (!token.endsWith("]")) malformed();
  const inner = token.slice(1, -1).trim();
  if (inner === "") malformed();
  if (inner === "*") return { kind: "wildcard" };
  if (inner.startsWith("?")) {
    if (!inner.startsWith("?(") || !inner.endsWith(")")) malformed();
    return { kind: "filter", script: inner.slice(2, -1).trim() };
  }
  const parts = splitArguments(inner, malformed);
  if (parts.length === 1) {
    const [only] = parts;
    return typeof only === "object" && only.kind !== "word" ? { kind: "single", argument: only } : malformed();
  }
  const commas = parts.filter((part) => part === ",").length;
  const colons = parts.filter((part) => part === ":").length;
  if (commas > 0 && colons > 0) malformed();
  if (commas > 0) return union(parts, commas, malformed);
  return colons > 0 ? range(parts, colons, malformed) : malformed();
}

type Part = Argument | "," | ":" | undefined;

function union(parts: readonly Part[], commas: number, malformed: () => never): Subscript {
  const args = parts.filter((part): part is Argument => typeof part === "object");
  if (commas >= args.length || args.some(({ kind }) => kind === "word")) malformed();
  return { kind: "union", arguments: args };
}

function range(parts: readonly Part[], colons: number, malformed: () => never): Subscript {
  const bounds: (Argument | undefined)[] = [];
  let afterColon = false;
  for (const part of parts) {
    if (part === ":") {
      if (afterColon) bounds.push(undefined);
      afterColon = true;
    } else {
      bounds.push(part as Argument | undefined);
      afterColon = false;
    }
  }
  if (colons > 2) malformed();
  if (colons === 1 && bounds.length === 1) bounds.push(undefined);
  const odd = bounds.find((bound) => bound?.kind === "key" || bound?.kind === "word");
  if (odd !== undefined) failBranch("invalid expression. invalid format");
  return { kind: "range", bounds };
}

/** Splits the text at commas and colons outside of quotes and scripts. */
function splitArguments(inner: string, malformed: () => never): Part[] {
  const parts: Part[] = [];
  let buffer = "";
  let depth = 0;
  let quote = "";
  let offset = -1;
  const word = (text: string): Argument => {
    const number = atoi(text);
    return number === undefined ? argumentOf(text) : { kind: "number", value: number };
  };
  for (const character of inner) {
    offset++;
    buffer += character;
    if (character === " " && quote === "" && depth === 0) buffer = buffer.trim();
    else if (character === "(" && quote === "") depth++;
    else if (character === ")") {
      depth--;
      if (depth !== 0) continue;
      if (!isScript(buffer)) failBranch("invalid expression. invalid format");
      parts.push({ kind: "script", text: buffer.slice(1, -1) });
      buffer = "";
    } else if ((character === "'" || character === '"') && (quote === "" || quote === character) && depth === 0) {
      if (buffer.length > 1 && buffer.at(-2) === "\\") {
        buffer = buffer.slice(0, -2) + character;
        continue;
      }
      quote = quote === "" ? character : "";
      if (quote !== "") {
        if (buffer !== character) malformed();
        continue;
      }
      if (buffer.length < 2 || buffer[0] !== character) malformed();
      parts.push({ kind: "key", text: buffer.slice(1, -1) });
      buffer = "";
    } else if ((character === ":" || character === ",") && quote === "" && depth === 0) {
      const text = buffer.slice(0, -1);
      if (text !== "") {
        const argument = word(text);
        if (character === ":" && argument.kind !== "number") malformed();
        parts.push(argument);
      } else if (character === ":" && offset === 0) parts.push(undefined);
      parts.push(character);
      buffer = "";
    }
  }
  if (buffer !== "") parts.push(word(buffer));
  return parts;
}

function isScript(text: string): boolean {
  return text.length > 2 && text.startsWith("(") && text.endsWith(")");
}

function argumentOf(text: string): Argument {
  if (
    text.length > 1 && ((text.startsWith("'") && text.endsWith("'")) || (text.startsWith('"') && text.endsWith('"')))
  ) {
    return { kind: "key", text: text.slice(1, -1) };
  }
  return isScript(text) ? { kind: "script", text: text.slice(1, -1) } : { kind: "word", text };
}
