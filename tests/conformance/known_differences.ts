/** The differences that are as they should be, each with its reason. */
import type { Difference } from "./same_results.ts";

/** A line of the list. */
export interface KnownDifference {
  readonly workflow: string;
  readonly path: RegExp;
  readonly reason: string;
}

/** Reads the list. Throws, naming the line, when one has no reason. */
export function readKnownDifferences(text: string): KnownDifference[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    const match = /^(\S+)\s+(\S+)\s+(\S.*)$/.exec(line);
    if (!match) throw new Error(`Line ${index + 1} of the known differences wants WORKFLOW PATH REASON, not "${line}"`);
    const path = new RegExp(`^${match[2].split("*").map(RegExp.escape).join(".*")}$`, "s");
    return [{ workflow: match[1], path, reason: match[3] }];
  });
}

/** Why a difference is as it should be; undefined for one that is not. */
export function reasonOf(difference: Difference, known: readonly KnownDifference[]): string | undefined {
  return known.find(({ workflow, path }) => workflow === difference.workflow && path.test(difference.path))?.reason;
}
