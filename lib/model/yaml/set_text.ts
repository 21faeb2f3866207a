/**
 * Sets one string in the text of a manifest without changing anything else: comments, order and style are preserved.
 */
import { isMap, isScalar, isSeq, type Node, type Pair, Scalar, type YAMLMap } from "yaml";
import { parseYaml } from "./parse.ts";
import { stringifyYaml } from "./stringify.ts";

/** The path of a field from the root. */
export type FieldPath = readonly [...(string | number)[], string];

/**
 * Returns the text of one document after setting the field at a path, which is added to its map if missing. Undefined
 * if the text is not one valid document, the map does not exist, the field is not a scalar, the field has a tag, or the
 * field or a node that contains it has an anchor, which other nodes may refer to.
 */
export function withTextAt(text: string, path: FieldPath, value: string): string | undefined {
  const [document, ...more] = parseYaml(text);
  // If the parser repaired the text, its offsets do not apply to this one.
  if (!document || more.length > 0 || document.errors.length > 0 || document.text !== text) return undefined;
  let node: unknown = document.syntax.contents;
  for (const segment of path.slice(0, -1)) {
    if (!isMap(node) && !isSeq(node) || node.anchor) return undefined;
    node = node.get(segment, true);
  }
  if (!isMap(node) || node.anchor) return undefined;
  const field = path.at(-1) as string;
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === field);
  return pair ? replaceValue(text, pair, node, value) : addField(text, field, node, value);
}

function replaceValue(text: string, { value: old }: Pair, { flow }: YAMLMap, value: string): string | undefined {
  // An explicit tag of the old value would also apply to the new one.
  if (!isScalar(old) || !old.range || old.anchor || old.tag) return undefined;
  const [from, to] = old.range;
  const isBlock = old.type === Scalar.BLOCK_LITERAL || old.type === Scalar.BLOCK_FOLDED;
  const isQuoted = old.type === Scalar.QUOTE_DOUBLE;
  // Without a value, a space separates the new one from its key.
  const space = from === to && text[from - 1] === ":" ? " " : "";
  const end = isBlock ? `${headerComment(text.slice(from, to))}\n` : "";
  return text.slice(0, from) + space + scalarText(value, flow === true || isQuoted) + end + text.slice(to);
}

/** Returns the comment in the first line of a block scalar, with the space before it. */
function headerComment(block: string): string {
  return /^\S+([ \t]+#.*)?/.exec(block)?.[1] ?? "";
}

function addField(text: string, field: string, { items, flow }: YAMLMap, value: string): string | undefined {
  const [first] = items;
  const key = first?.key as Node | undefined;
  const start = key?.range?.[0];
  if (start === undefined) return undefined;
  if (flow) return `${text.slice(0, start)}${JSON.stringify(field)}: ${JSON.stringify(value)}, ${text.slice(start)}`;
  const indent = " ".repeat(start - (text.lastIndexOf("\n", start - 1) + 1));
  const pair = `${field}: ${scalarText(value, false)}`;
  const end = endOfLine(text, first!);
  if (end === undefined) return `${text.slice(0, start)}${pair}\n${indent}${text.slice(start)}`;
  return `${text.slice(0, end)}\n${indent}${pair}${text.slice(end)}`;
}

/** Returns the end of the line of a pair, with its comment; undefined if the pair continues on the next line. */
function endOfLine(text: string, { value }: Pair): number | undefined {
  if (!isScalar(value) || !value.range) return undefined;
  const [from, to] = value.range;
  if (text.slice(from, to).includes("\n")) return undefined;
  const end = text.indexOf("\n", to);
  return end < 0 ? text.length : end;
}

/** Formats a value on one line. */
function scalarText(value: string, isQuoted: boolean): string {
  return isQuoted || value.includes("\n") ? JSON.stringify(value) : stringifyYaml(value).trimEnd();
}
