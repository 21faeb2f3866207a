/** The cases that are known to fail, each with its reason: the list may only get shorter. */

/** Where the suite runs. */
export type Place = "cluster" | "embedded";

/** A line of the runner's JSON report. */
export interface CaseResult {
  readonly id: string;
  readonly result: "pass" | "fail" | "skip";
  readonly why: string;
  /** Of a case that ran twice: why it failed the first time. */
  readonly firstFailure?: string;
}

/** The list: case to reason. */
export type KnownFailures = ReadonlyMap<string, string>;

/** A run against the list. */
export interface Verdict {
  /** Cases that fail and are not listed: they fail the run. */
  readonly unexpected: readonly string[];
  /** Cases that fail as the list says. */
  readonly known: readonly string[];
  /** Cases that are listed and pass: their lines can go. */
  readonly mended: readonly string[];
  /** Cases that failed once and passed when they ran alone. */
  readonly unsteady: readonly CaseResult[];
  /** `N passed, N failed, N skipped`. */
  readonly counts: string;
}

/** Reads the list: case to reason, for one place. Throws, naming the line, when one has no reason. */
export function readKnownFailures(text: string, place: Place): Map<string, string> {
  const known = new Map<string, string>();
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "" || line.startsWith("#")) return;
    const match = /^(cluster|embedded|both)\s+(\S+)\s+(\S.*)$/.exec(line);
    if (!match) throw new Error(`Line ${index + 1} of the known failures wants WHERE CASE REASON, not "${line}"`);
    if (match[1] === place || match[1] === "both") known.set(match[2], match[3]);
  });
  return known;
}

/** Judges a run. */
export function judgeRun(results: readonly CaseResult[], known: KnownFailures): Verdict {
  const ids = (result: CaseResult["result"]) => results.filter((one) => one.result === result).map(({ id }) => id);
  const failed = ids("fail");
  const passed = ids("pass");
  return {
    unexpected: failed.filter((id) => !known.has(id)),
    known: failed.filter((id) => known.has(id)),
    mended: passed.filter((id) => known.has(id)),
    unsteady: results.filter(({ result, firstFailure }) => result === "pass" && firstFailure !== undefined),
    counts: `${passed.length} passed, ${failed.length} failed, ${ids("skip").length} skipped`,
  };
}
