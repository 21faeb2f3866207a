/** Values of a manifest set and taken away in its text: comments and order stay; indents and quotes become those of our writer. */
import { isMap, isScalar, isSeq, type Node } from "yaml";
import { parseYaml, type YamlDocument } from "./parse.ts";

/** A step of a path: a field, or the item of a list that has a name. */
export type EditStep = string | { readonly name: string };

/** A value at a path; undefined takes it away. What is not there yet is added, to a list at its end. */
export interface Edit {
  readonly path: readonly [...EditStep[], EditStep];
  readonly value: unknown;
}

/**
 * The text of one document after edits. Undefined where the text is not one document without errors, where a path leads
 * through what is neither map nor list, and where something on the way has an anchor, which other places may name.
 */
export function withEdits(text: string, edits: readonly Edit[]): string | undefined {
  if (edits.length === 0) return text;
  const [document, ...more] = parseYaml(text);
  if (!document || more.length > 0 || document.errors.length > 0 || document.text !== text) return undefined;
  for (const { path, value } of edits) {
    let node: unknown = document.syntax.contents;
    for (const step of path.slice(0, -1)) node = hasAnchor(node) ? undefined : inside(node, step);
    if (hasAnchor(node) || !put(document, node, path.at(-1)!, value)) return undefined;
  }
  return document.syntax.toString({
    indentSeq: false,
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
}

function hasAnchor(node: unknown): boolean {
  return (isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined;
}

function inside(node: unknown, step: EditStep): unknown {
  if (typeof step === "string") return isMap(node) ? node.get(step, true) : undefined;
  return isSeq(node) ? node.items[placeOf(node.items, step.name)] : undefined;
}

function placeOf(items: readonly unknown[], name: string): number {
  return items.findIndex((item) => isMap(item) && item.get("name") === name);
}

/** Sets a value in a map or a list; false where it is neither. */
function put({ syntax }: YamlDocument, holder: unknown, step: EditStep, value: unknown): boolean {
  if (typeof step === "string") {
    if (!isMap(holder)) return false;
    if (value === undefined) {
      holder.delete(step);
      return true;
    }
    const old = holder.get(step, true);
    if (hasAnchor(old)) return false;
    // A scalar keeps its comment, and the style that it is written in.
    if (isScalar(old) && !old.tag && isPlain(value)) old.value = value;
    else holder.set(step, syntax.createNode(value));
    return true;
  }
  if (!isSeq(holder)) return false;
  const place = placeOf(holder.items, step.name);
  if (hasAnchor(holder.items[place])) return false;
  if (value === undefined) {
    if (place >= 0) holder.delete(place);
  } else if (place >= 0) holder.items[place] = syntax.createNode(value) as Node;
  else holder.add(syntax.createNode(value));
  return true;
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
