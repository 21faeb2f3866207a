import { passThrough } from "../../scripts/command.ts";
import type { CaseResult } from "./known_failures.ts";

/** One run of the suite. */
export interface SuiteRun {
  /** The folder of the suite. */
  readonly suite: string;
  readonly kubectl: readonly string[];
  readonly namespace: string;
  /** A command that speaks as the `argo` CLI does; without it the cases that need one are skipped. */
  readonly cli: readonly string[] | undefined;
  /** Needs that are not met here: cases with one of them are skipped. */
  readonly lack: readonly string[];
  /** A folder with other cases; the suite's own when absent. */
  readonly cases?: string;
  readonly only: readonly string[];
  /** Further options of the suite's runner, as they are. */
  readonly options: readonly string[];
}

/** How often the runner looks: some cases wait for a node that runs, and here one may be over in less than its own second. */
const POLL_SECONDS = "0.3";

/** Runs the suite with its own runner, whose lines go to our output; resolves to its report. */
export async function runSuite(run: SuiteRun): Promise<CaseResult[]> {
  const report = await Deno.makeTempFile({ prefix: "conformance-", suffix: ".json" });
  try {
    const code = await passThrough([
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
    ]);
    const text = await Deno.readTextFile(report);
    if (text === "") throw new Error(`The suite's runner ended with ${code} and without a report`);
    return JSON.parse(text) as CaseResult[];
  } finally {
    await Deno.remove(report);
  }
}
