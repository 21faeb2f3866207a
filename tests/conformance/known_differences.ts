/** The differences that are as they should be, each with its reason. */
import type { Difference } from "./same_results.ts";

/** A line of the list. */
export interface KnownDifference {
  readonly workflow: RegExp;
  readonly path: RegExp;
  readonly reason: string;
}

/**
 * Reads the list.
 * @throws naming the line, when one has no reason.
 */
export function readKnownDifferences(text: string): KnownDifference[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    const match = /^(\S+)\s+(\S+)\s+(\S.*)$/.exec(line);
    if (!match) throw new Error(`Line ${index + 1} of the known differences wants WORKFLOW PATH REASON, not "${line}"`);
    const [, workflow = "", path = "", reason = ""] = match;
    return [{ workflow: patternOf(workflow), path: patternOf(path), reason }];
  });
}

function patternOf(text: string): RegExp {
  return new RegExp(`^${text.split("*").map(RegExp.escape).join(".*")}$`, "s");
}

/** The reason why a difference is as it should be; undefined for one that is not. */
export function reasonOf(difference: Difference, known: readonly KnownDifference[]): string | undefined {
  return known.find(({ workflow, path }) => workflow.test(difference.workflow) && path.test(difference.path))?.reason;
}
