/** Finds parts by name, template, message, or parameter value. */
import type { NodeStatus } from "@tiphys/model/api";
import { withoutAttempt } from "@tiphys/model/status";
import { type Part, partsIn } from "./part.ts";

/** The maximum number of characters of a value that are searched. */
const MAX_SEARCHED_LENGTH = 10_000;

/** The maximum number of parts that are searched before yielding. */
const PIECE = 1_000;

/**
 * Returns the keys of the parts that contain a text, ignoring case, in the order of the graph; an empty text matches
 * nothing. Each `yield` is a pause for other work, because a graph may have tens of thousands of parts.
 */
export function* findParts(whole: Part, text: string): Generator<undefined, Set<string>> {
  const keys = new Set<string>();
  if (text.trim() === "") return keys;
  const hasText = textFinder(text);
  let count = 0;
  for (const part of partsIn(whole)) {
    if (++count % PIECE === 0) yield;
    if (part !== whole && hasText(part)) keys.add(part.key);
  }
  return keys;
}

/** Returns a predicate for parts that contain a text; an empty text matches all. */
export function textFinder(text: string): (part: Part) => boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return () => true;
  // Runs for tens of thousands of parts on each key stroke, so it allocates no list of texts.
  const has = (text: string | undefined) =>
    text !== undefined && text.slice(0, MAX_SEARCHED_LENGTH).toLowerCase().includes(wanted);
  const hasValue = (side: NodeStatus["inputs"]) => side?.parameters?.some(({ value }) => has(value)) ?? false;
  // Items are labeled `load(7:us)`; users type `load(7` as well as the whole name.
  return ({ key, label, template, declared, node }) =>
    has(key) || has(label) || has(template) || has(declared) ||
    node !== undefined && (has(node.id) || has(node.message) || hasValue(node.inputs) || hasValue(node.outputs));
}

/** Returns the key of the part that shows a node: attempts are shown by the retried node. */
export function keyOfNode({ name, nodeFlag }: NodeStatus): string {
  return nodeFlag?.retried ? withoutAttempt(name) : name;
}

/** Returns the key after or before the selected one, wrapping around; without a selection the first or the last. */
export function keyAmong(keys: readonly string[], selected: string | undefined, step: 1 | -1): string | undefined {
  const index = selected === undefined ? -1 : keys.indexOf(selected);
  return keys.at(index < 0 && step === 1 ? 0 : (Math.max(index, 0) + step) % keys.length);
}

/** Returns the keys of the failed leaves in the order of the graph, for the keys `[` and `]`. */
export function failedLeaves(whole: Part): string[] {
  const keys: string[] = [];
  for (const { key, family, members } of partsIn(whole)) {
    if (members.length === 0 && (family === "failed" || family === "error")) keys.push(key);
  }
  return keys;
}
