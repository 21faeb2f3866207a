/** Finding parts: by name, template, message, or the value of a parameter. */
import { type Part, partsIn } from "./part.ts";

/** The length of a value's beginning that is searched. */
const LONGEST = 10_000;

/** The keys of the parts in which a text is found, whatever its case, in the order of the graph; an empty text finds none. */
export function findParts(whole: Part, text: string): string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const keys: string[] = [];
  for (const part of partsIn(whole)) {
    if (part !== whole && textsOf(part).some((one) => one.slice(0, LONGEST).toLowerCase().includes(wanted))) {
      keys.push(part.key);
    }
  }
  return keys;
}

function textsOf({ key, label, template, node }: Part): string[] {
  const parameters = [...node?.inputs?.parameters ?? [], ...node?.outputs?.parameters ?? []];
  // Labels of items are `load(7:us)`; people write `load(7` as well as the whole name.
  return [key, label, template, node?.id ?? "", node?.message ?? "", ...parameters.map(({ value }) => value ?? "")];
}

/** The keys of the leaves that failed, in the order of the graph: what `[` and `]` walk. */
export function failedLeaves(whole: Part): string[] {
  const keys: string[] = [];
  for (const { key, family, members } of partsIn(whole)) {
    if (members.length === 0 && (family === "failed" || family === "error")) keys.push(key);
  }
  return keys;
}
