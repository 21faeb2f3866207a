/** Finding parts: by name, template, message, or the value of a parameter. */
import type { NodeStatus } from "@tiphys/model/api";
import { withoutAttempt } from "@tiphys/model/status";
import { type Part, partsIn } from "./part.ts";

/** The length of a value's beginning that is searched. */
const LONGEST = 10_000;

/** Parts that are looked at without a rest. */
const PIECE = 1_000;

/**
 * The keys of the parts in which a text is found, whatever its case, in the order of the graph; an empty text finds none. There
 * may be tens of thousands: each `yield` is a place to rest at.
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

/** What tells whether a text is found in a part; an empty one is in all. */
export function textFinder(text: string): (part: Part) => boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return () => true;
  // Asked of tens of thousands of parts with each letter: no list of texts is made of one.
  const has = (text: string | undefined) => text !== undefined && text.slice(0, LONGEST).toLowerCase().includes(wanted);
  const hasValue = (side: NodeStatus["inputs"]) => side?.parameters?.some(({ value }) => has(value)) ?? false;
  // Labels of items are `load(7:us)`; people write `load(7` as well as the whole name.
  return ({ key, label, template, declared, node }) =>
    has(key) || has(label) || has(template) || has(declared) ||
    node !== undefined && (has(node.id) || has(node.message) || hasValue(node.inputs) || hasValue(node.outputs));
}

/** The key of the part that a node is drawn as: an attempt is drawn as the node that is tried. */
export function keyOfNode({ name, nodeFlag }: NodeStatus): string {
  return nodeFlag?.retried ? withoutAttempt(name) : name;
}

/** The key that follows the selected one, or goes before it; from none, the first or the last. Around at both ends. */
export function keyAmong(keys: readonly string[], selected: string | undefined, step: 1 | -1): string | undefined {
  const at = selected === undefined ? -1 : keys.indexOf(selected);
  return keys.at(at < 0 && step === 1 ? 0 : (Math.max(at, 0) + step) % keys.length);
}

/** The keys of the leaves that failed, in the order of the graph: what `[` and `]` walk. */
export function failedLeaves(whole: Part): string[] {
  const keys: string[] = [];
  for (const { key, family, members } of partsIn(whole)) {
    if (members.length === 0 && (family === "failed" || family === "error")) keys.push(key);
  }
  return keys;
}
