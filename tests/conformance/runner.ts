/** A run of the suite by its own runner. */
import { passThroughLines } from "../../scripts/command.ts";
import type { CaseResult, KnownFailures } from "./known_failures.ts";

/** One run of the suite. */
export interface SuiteRun {
  /** The folder of the suite. */
  readonly suite: string;
  readonly kubectl: readonly string[];
  readonly namespace: string;
  /** A command that is compatible with the `argo` CLI; without it, the cases that need one are skipped. */
  readonly cli: readonly string[] | undefined;
  /** Requirements that are not met: cases with one of them are skipped. */
  readonly lack: readonly string[];
  /** A folder with other cases; the suite's own by default. */
  readonly cases?: string;
  readonly only: readonly string[];
  /** The cases that may fail: they are not run again. */
  readonly knownFailures: KnownFailures;
  /** Further options of the suite's runner. */
  readonly options: readonly string[];
}

/**
 * The seconds between two polls of the runner: some cases wait for a running node, which may be shorter than the
 * runner's own second.
 */
const POLL_SECONDS = "0.3";

/**
 * Runs the suite. Resolves to the result of each case. An unlisted case that fails runs once more, after all others and
 * alone: cases observe from outside, and on a busy machine one may poll too late or not wait long enough.
 */
export async function runSuite(run: SuiteRun): Promise<CaseResult[]> {
  const results = await runOnce(run);
  const failed = results.filter(({ id, result }) => result === "fail" && !run.knownFailures.has(id));
  if (failed.length === 0) return results;
  console.log(`Once more, alone: ${failed.map(({ id }) => id).join(", ")}`);
  const again = await runOnce({
    ...run,
    only: failed.map(({ id }) => id),
    options: [...run.options, "--parallel", "1"],
  });
  return results.map((first) => {
    const second = again.find(({ id }) => id === first.id);
    return second ? { ...second, firstFailure: first.why } : first;
  });
}

/** One run of the suite's own runner, whose lines are printed. */
async function runOnce(run: SuiteRun): Promise<CaseResult[]> {
  const report = await Deno.makeTempFile({ prefix: "conformance-", suffix: ".json" });
  try {
    const command = [
      "python3",
      `${run.suite}/run`,
      "--kubectl",
      run.kubectl.join(" "),
      "--namespace",
      run.namespace,
      "--json",
      report,
      "--lack",
      run.lack.join(","),
      "--poll",
      POLL_SECONDS,
      ...(run.cli ? ["--cli", run.cli.join(" ")] : []),
      ...(run.cases ? ["--cases", run.cases] : []),
      ...run.only.flatMap((only) => ["--only", only]),
      ...run.options,
    ];
    const code = await passThroughLines(command, (line) => markKnown(line, run.knownFailures));
    const text = await Deno.readTextFile(report);
    if (text === "") throw new Error(`The suite's runner ended with ${code} and without a report`);
    return JSON.parse(text) as CaseResult[];
  } finally {
    await Deno.remove(report);
  }
}

/**
 * Replaces FAIL in a line of the runner: KNOWN for a case in the list of known failures, MISSED for another case, which
 * is run again before it counts as failed.
 */
export function markKnown(line: string, knownFailures: KnownFailures): string {
  const [, id] = /^FAIL (\S+) /.exec(line) ?? [];
  return id === undefined ? line : line.replace("FAIL", knownFailures.has(id) ? "KNOWN" : "MISSED");
}
