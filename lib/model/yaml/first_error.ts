/** Readable errors of invalid YAML: the parser's message and the most likely cause. */
import { isAlias, isMap, isPair, isScalar, isSeq, type LineCounter } from "yaml";
import type { YamlDocument, YamlError } from "./parse.ts";

/**
 * Returns the first error of a document with its most likely cause, since further errors usually follow from it;
 * undefined for a valid document.
 */
export function firstError({ errors, syntax, text, lines }: YamlDocument): YamlError | undefined {
  const [error] = errors;
  if (!error) return undefined;
  const alias = aliasOffset(syntax.contents, error.message);
  if (alias !== undefined) {
    const { line, col } = lines.linePos(alias);
    return { ...error, line, column: col };
  }
  const message = error.message.slice(0, MAX_QUOTED_LENGTH);
  const { code, pos: [start] = [0] } = syntax.errors[0] ?? {};
  if (code === "TAB_AS_INDENT") return { ...error, message: `${message}: use spaces` };
  if (code === "BLOCK_AS_IMPLICIT_KEY") return { ...error, message: `${message}: a text with ": " in it needs quotes` };
  if (code === "DUPLICATE_KEY") {
    return { ...error, message: `${message}: ${/^[^\s:]{0,60}/.exec(text.slice(start))} appears twice` };
  }
  const line = code === "UNEXPECTED_TOKEN" && longQuoteBefore(syntax.contents, start, lines);
  if (!line) return { ...error, message };
  return { ...error, message: `${message}: is a quote missing on line ${line}, where this text begins?` };
}

const MAX_QUOTED_LENGTH = 200;

/**
 * Returns the line of the last quoted scalar that ends before an offset on a later line: probably an unclosed quote.
 */
function longQuoteBefore(root: unknown, offset: number, lines: LineCounter): number | undefined {
  let found: number | undefined;
  let last = -1;
  for (const node of nodesBelow(root)) {
    if (!isScalar(node) || !node.range || !`${node.type}`.startsWith("QUOTE")) continue;
    const [start, end] = node.range;
    const { line } = lines.linePos(start);
    if (end <= offset && end > last && lines.linePos(end).line > line) [found, last] = [line, end];
  }
  return found;
}

/** Returns the offset of the first use of the alias that an error of the parser names; undefined for other errors. */
function aliasOffset(root: unknown, message: string): number | undefined {
  if (!message.startsWith("Unresolved alias")) return undefined;
  let first: number | undefined;
  for (const node of nodesBelow(root)) {
    if (isAlias(node) && node.range && message.endsWith(`: ${node.source}`)) {
      first = Math.min(first ?? node.range[0], node.range[0]);
    }
  }
  return first;
}

/** Yields all nodes in no particular order. */
function* nodesBelow(root: unknown): Generator<unknown, void> {
  const left = [root];
  while (left.length > 0) {
    const node = left.pop();
    yield node;
    if (isPair(node)) left.push(node.key, node.value);
    else if (isMap(node) || isSeq(node)) { for (const item of node.items) left.push(item); }
  }
}
