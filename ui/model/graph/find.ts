/** Finding parts: by name, template, message, or the value of a parameter. */
import type { NodeStatus } from "../../../lib/api/mod.ts";
import { withoutAttempt } from "../../../lib/status/mod.ts";
import { type Part, partsIn } from "./part.ts";

/** The length of a value's beginning that is searched. */
const LONGEST = 10_000;

/** The keys of the parts in which a text is found, whatever its case, in the order of the graph; an empty text finds none. */
export function findParts(whole: Part, text: string): string[] {
  if (text.trim() === "") return [];
  const hasText = textFinder(text);
  const keys: string[] = [];
  for (const part of partsIn(whole)) if (part !== whole && hasText(part)) keys.push(part.key);
  return keys;
}

/** What tells whether a text is found in a part; an empty one is in all. */
export function textFinder(text: string): (part: Part) => boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return () => true;
  return (part) => textsOf(part).some((one) => one.slice(0, LONGEST).toLowerCase().includes(wanted));
}

function textsOf({ key, label, template, node, declared }: Part): string[] {
  const parameters = [...node?.inputs?.parameters ?? [], ...node?.outputs?.parameters ?? []];
  // Labels of items are `load(7:us)`; people write `load(7` as well as the whole name.
  return [
    key,
    label,
    template,
    declared ?? "",
    node?.id ?? "",
    node?.message ?? "",
    ...parameters.map(({ value }) => value ?? ""),
  ];
}

/** The key of the part that a node is drawn as: an attempt is drawn as the node that is tried. */
export function keyOfNode({ name, nodeFlag }: NodeStatus): string {
  return nodeFlag?.retried ? withoutAttempt(name) : name;
}

/** The keys of the leaves that failed, in the order of the graph: what `[` and `]` walk. */
export function failedLeaves(whole: Part): string[] {
  const keys: string[] = [];
  for (const { key, family, members } of partsIn(whole)) {
    if (members.length === 0 && (family === "failed" || family === "error")) keys.push(key);
  }
  return keys;
}
