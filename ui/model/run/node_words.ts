/** The words for one node: what a screen reader says of it, and its attempts. */
import { durationText, elapsed } from "../duration.ts";
import type { Part } from "../graph/part.ts";
import { lookOfFamily, lookOfPart } from "../graph/part_look.ts";
import { FAMILIES } from "../phase.ts";

/** A sentence about a part: `load(3), failed, exit 1, attempt 2 of 3`. */
export function wordsOf(part: Part, now: number): string {
  const { node, attempts, label, members } = part;
  const words = [label, lookOfPart(part).word.toLowerCase()];
  if (members.length) words.push(countsText(part));
  else if (part.kind === "loop") words.push(part.items === undefined ? "items not known yet" : `${part.items} items`);
  if (node?.message) words.push(node.message.split("\n", 1)[0]!.slice(0, 200));
  if (attempts.length > 1) words.push(`${attempts.length} attempts`);
  const took = node && elapsed(node.startedAt, node.finishedAt, now);
  if (took !== undefined) words.push(durationText(Math.floor(took / 1000) * 1000));
  return words.join(", ");
}

/** The leaves of a part by family: `3 failed, 12 succeeded`. */
export function countsText({ counts }: Pick<Part, "counts">): string {
  return FAMILIES.filter((family) => counts[family] > 0)
    .map((family) => `${counts[family]} ${lookOfFamily(family).word.toLowerCase()}`).join(", ");
}

/** The plan of a retry of a run in which no node did work yet. */
export const BEGINS_ANEW = "No node ran yet: the run begins anew.";
