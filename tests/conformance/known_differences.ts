/** The expected differences, each with its reason. */
import type { Difference } from "./same_results.ts";

/** A line of the list. */
export interface KnownDifference {
  readonly workflow: RegExp;
  readonly path: RegExp;
  readonly reason: string;
}

/** Reads the list. @throws {Error} that names a line without a reason */
export function readKnownDifferences(text: string): KnownDifference[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    const match = /^(\S+)\s+(\S+)\s+(\S.*)$/.exec(line);
    if (!match) {
      throw new Error(
        `Line ${index + 1} of the known differences must have the form WORKFLOW PATH REASON, not "${line}"`,
      );
    }
    const [, workflow = "", path = "", reason = ""] = match;
    return [{ workflow: patternOf(workflow), path: patternOf(path), reason }];
  });
}

function patternOf(text: string): RegExp {
  return new RegExp(`^${text.split("*").map(RegExp.escape).join(".*")}$`, "s");
}

/** The reason of an expected difference; undefined for an unexpected one. */
export function reasonOf(difference: Difference, differences: readonly KnownDifference[]): string | undefined {
  return differences.find(({ workflow, path }) => workflow.test(difference.workflow) && path.test(difference.path))
    ?.reason;
}
