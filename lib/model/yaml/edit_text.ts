/**
 * Sets and removes values in the text of a manifest: comments and order are preserved; indentation and quotes become
 * those of our writer.
 */
import { isMap, isScalar, isSeq, type Node } from "yaml";
import { parseYaml, type YamlDocument } from "./parse.ts";

/** A segment of a path: a field, or the item of a list with this `name`. */
export type EditStep = string | { readonly name: string };

/** Sets the value at a path; undefined removes it. Missing fields are added, items at the end of their list. */
export interface Edit {
  readonly path: readonly [...EditStep[], EditStep];
  readonly value: unknown;
}

/**
 * Returns the text of one document after edits. Undefined if the text is not one valid document, if a path leads
 * through a value that is neither a map nor a list, or if a node on the path has an anchor, which other nodes may refer
 * to.
 */
export function withEdits(text: string, edits: readonly Edit[]): string | undefined {
  if (edits.length === 0) return text;
  const [document, ...more] = parseYaml(text);
  if (!document || more.length > 0 || document.errors.length > 0 || document.text !== text) return undefined;
  for (const { path, value } of edits) {
    let node: unknown = document.syntax.contents;
    for (const step of path.slice(0, -1)) node = hasAnchor(node) ? undefined : valueAt(node, step);
    if (hasAnchor(node) || !setValue(document, node, path.at(-1)!, value)) return undefined;
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

function valueAt(node: unknown, step: EditStep): unknown {
  if (typeof step === "string") return isMap(node) ? node.get(step, true) : undefined;
  return isSeq(node) ? node.items[placeOf(node.items, step.name)] : undefined;
}

function placeOf(items: readonly unknown[], name: string): number {
  return items.findIndex((item) => isMap(item) && item.get("name") === name);
}

/** Sets a value in a map or list; returns false for any other holder. */
function setValue({ syntax }: YamlDocument, holder: unknown, step: EditStep, value: unknown): boolean {
  if (typeof step === "string") {
    if (!isMap(holder)) return false;
    if (value === undefined) {
      holder.delete(step);
      return true;
    }
    const old = holder.get(step, true);
    if (hasAnchor(old)) return false;
    // A scalar keeps its comment and style.
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
