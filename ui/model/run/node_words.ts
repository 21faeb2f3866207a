/** Describes one node for screen readers, with its attempts. */
import { durationText, elapsedMillis } from "../duration.ts";
import type { Part } from "../graph/part.ts";
import { lookOfFamily, lookOfPart } from "../graph/part_look.ts";
import { FAMILIES } from "../phase.ts";
import * as words from "../text/en/node_words.ts";

/** Describes a part: `load(3), failed, exit 1, attempt 2 of 3`. */
export function wordsOf(part: Part, now: number): string {
  const { node, attempts, label, members, declared } = part;
  const said = [label, declared ?? lookOfPart(part).word.toLowerCase()];
  if (members.length) said.push(countsText(part));
  else if (part.kind === "loop") said.push(part.items === undefined ? words.itemsUnknown : words.itemCount(part.items));
  if (node?.message) said.push(node.message.split("\n", 1)[0]!.slice(0, 200));
  const code = node?.outputs?.exitCode;
  if (code !== undefined && code !== "0" && !node?.message?.includes(`exit code ${code}`)) {
    said.push(words.exitOf(code));
  }
  if (attempts.length > 1) said.push(words.attemptCount(attempts.length));
  const took = node && elapsedMillis(node.startedAt, node.finishedAt, now);
  if (took !== undefined) said.push(durationText(Math.floor(took / 1000) * 1000));
  return said.join(", ");
}

/**
 * Describes a part for a live region: like `wordsOf()`, but short and without values that change every second, because
 * screen readers would restart at each change.
 */
export function spokenWordsOf(part: Part): string {
  const { node, attempts, label, members } = part;
  const said = [label, lookOfPart(part).word.toLowerCase()];
  if (members.length) said.push(countsText(part));
  const last = attempts.at(-1) ?? node;
  const code = last?.outputs?.exitCode ?? node?.outputs?.exitCode;
  if (code !== undefined && code !== "0") said.push(words.exitOf(code));
  else if (last?.message) said.push(last.message.split("\n", 1)[0]!.slice(0, 200));
  if (attempts.length > 1) {
    said.push(node?.finishedAt ? words.attemptOf(attempts.length) : words.attemptNumber(attempts.length));
  }
  if (node?.finishedAt) said.push(durationText(elapsedMillis(node.startedAt, node.finishedAt, NaN) ?? NaN));
  return said.filter((candidate) => candidate !== "").join(", ");
}

/**
 * Counts the leaves of a part by family: `3 failed, 12 succeeded`; for a part of a manifest, which has no phases, their
 * number.
 */
export function countsText({ counts, declared }: Pick<Part, "counts" | "declared">): string {
  if (declared !== undefined) return words.partCount(counts.idle);
  return FAMILIES.filter((family) => counts[family] > 0)
    .map((family) => words.countOf(counts[family], lookOfFamily(family).word.toLowerCase())).join(", ");
}

/** Counts the leaves of a part briefly: `1 failed of 40`, or `40 succeeded` if all are equal. */
export function shortCountsText({ counts, declared }: Pick<Part, "counts" | "declared">): string {
  if (declared !== undefined) return countsText({ counts, declared });
  const all = FAMILIES.reduce((sum, family) => sum + counts[family], 0);
  const first = FAMILIES.find((family) => counts[family] > 0);
  if (first === undefined) return "";
  const said = words.countOf(counts[first], lookOfFamily(first).word.toLowerCase());
  return counts[first] === all ? said : words.countOfAll(said, all);
}

/** The plan of a retry of a run in which no node has run. */
export const STARTS_FROM_SCRATCH = words.startsFromScratch;
