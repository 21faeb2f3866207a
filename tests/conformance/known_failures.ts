/** The cases that are known to fail, each with its reason: the list may only get shorter. */

/** The kind of cluster on which the suite runs; `minimal` is a real one with Argo's minimal CRDs. */
export type Place = "cluster" | "embedded" | "minimal";

/** A line of the runner's JSON report. */
export interface CaseResult {
  readonly id: string;
  readonly result: "pass" | "fail" | "skip";
  readonly why: string;
  /** The reason of the first failure of a case that ran twice. */
  readonly firstFailure?: string;
}

/** The list: case to reason. */
export type KnownFailures = ReadonlyMap<string, string>;

/** A run against the list. */
export interface Verdict {
  /** Cases that fail and are not listed: they fail the run. */
  readonly unexpected: readonly CaseResult[];
  /** Cases that fail as the list says. */
  readonly known: readonly string[];
  /** Cases that are listed and pass: their lines can go. */
  readonly mended: readonly string[];
  /** Cases that failed once and passed when they ran alone. */
  readonly unsteady: readonly CaseResult[];
  /** `N passed, N failed, N skipped`; cases that fail as the list says count as skipped. */
  readonly counts: string;
}

/**
 * Reads the list: case to reason, for one place.
 * @throws naming the line, when one has no reason.
 */
export function readKnownFailures(text: string, place: Place): Map<string, string> {
  const known = new Map<string, string>();
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "" || line.startsWith("#")) return;
    const match = /^(cluster|embedded|minimal|both)\s+(\S+)\s+(\S.*)$/.exec(line);
    if (!match) throw new Error(`Line ${index + 1} of the known failures wants WHERE CASE REASON, not "${line}"`);
    const [, where, id = "", reason = ""] = match;
    const isHere = where === place || where === "both" || where === "cluster" && place === "minimal";
    if (isHere) known.set(id, reason);
  });
  return known;
}

/** Judges a run. */
export function judgeRun(results: readonly CaseResult[], known: KnownFailures): Verdict {
  const ids = (result: CaseResult["result"]) => results.filter((one) => one.result === result).map(({ id }) => id);
  const unexpected = results.filter(({ id, result }) => result === "fail" && !known.has(id));
  const listed = ids("fail").filter((id) => known.has(id));
  const passed = ids("pass");
  const skipped = ids("skip").length + listed.length;
  return {
    unexpected,
    known: listed,
    mended: passed.filter((id) => known.has(id)),
    unsteady: results.filter(({ result, firstFailure }) => result === "pass" && firstFailure !== undefined),
    counts: `${passed.length} passed, ${unexpected.length} failed, ${skipped} skipped`,
  };
}
