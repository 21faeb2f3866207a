/** The cases that are known to fail, each with its reason. The list may only get shorter. */

/** The kind of cluster on which the suite runs; `minimal` is a real one with Argo's minimal CRDs. */
export type ClusterKind = "cluster" | "embedded" | "minimal";

/** A line of the runner's JSON report. */
export interface CaseResult {
  readonly id: string;
  readonly result: "pass" | "fail" | "skip";
  readonly why: string;
  /** The reason of the first failure of a case that ran twice. */
  readonly firstFailure?: string;
}

/** The list: a reason for each case. */
export type KnownFailures = ReadonlyMap<string, string>;

/** The comparison of a run with the list. */
export interface Verdict {
  /** Unlisted cases that fail: they fail the run. */
  readonly unexpected: readonly CaseResult[];
  /** Listed cases that fail. */
  readonly expectedFailures: readonly string[];
  /** Listed cases that pass: their lines can be removed. */
  readonly fixed: readonly string[];
  /** Cases that failed once and passed when they ran alone. */
  readonly unsteady: readonly CaseResult[];
  /** `N passed, N failed, N skipped`; listed cases that fail count as skipped. */
  readonly counts: string;
}

/** Reads the list for one place. @throws {Error} that names a line without a reason */
export function readKnownFailures(text: string, place: ClusterKind): Map<string, string> {
  const known = new Map<string, string>();
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "" || line.startsWith("#")) return;
    const match = /^(cluster|embedded|minimal|both)\s+(\S+)\s+(\S.*)$/.exec(line);
    if (!match) {
      throw new Error(`Line ${index + 1} of the known failures must have the form WHERE CASE REASON, not "${line}"`);
    }
    const [, where, id = "", reason = ""] = match;
    const isHere = where === place || where === "both" || where === "cluster" && place === "minimal";
    if (isHere) known.set(id, reason);
  });
  return known;
}

/** Compares a run with the list. */
export function judgeRun(results: readonly CaseResult[], knownFailures: KnownFailures): Verdict {
  const ids = (result: CaseResult["result"]) =>
    results.filter((candidate) => candidate.result === result).map(({ id }) => id);
  const unexpected = results.filter(({ id, result }) => result === "fail" && !knownFailures.has(id));
  const listed = ids("fail").filter((id) => knownFailures.has(id));
  const passed = ids("pass");
  const skipped = ids("skip").length + listed.length;
  return {
    unexpected,
    expectedFailures: listed,
    fixed: passed.filter((id) => knownFailures.has(id)),
    unsteady: results.filter(({ result, firstFailure }) => result === "pass" && firstFailure !== undefined),
    counts: `${passed.length} passed, ${unexpected.length} failed, ${skipped} skipped`,
  };
}
