/** Describes a failed run: as a short timeline for the reader, and as a file that can be kept as a test. */
import { stringifyYaml } from "@tiphys/model/yaml";
import type { Evidence } from "./evidence.ts";
import type { FailedRun } from "./shrink.ts";

/** Maximum number of log lines to show, counted from the end. */
const LINES = 24;
const MAX_LINE_LENGTH = 180;

/**
 * Returns the regression case (YAML) for `kept/`: the case by name if its workflow was not shrunk, otherwise the shrunk
 * workflow.
 */
export function regressionText({ case: testCase, seed, faults, problems }: FailedRun, isWhole: boolean): string {
  const { name, workflow, objects, pods, people } = testCase;
  const { metadata: _, ...rest } = workflow;
  const what = isWhole ? { case: name } : { workflow: rest, objects, pods, people };
  return stringifyYaml({ about: problems[0], ...withoutUndefined(what), seed, faults });
}

/** The end of a run's log without debug messages, with the times at which main containers started. */
export function timeline({ log, starts }: Pick<Evidence, "log" | "starts">): string[] {
  const began = starts.map(({ at, pod }) => `${String(Math.round(at)).padStart(8)} ms pod ${pod.metadata.name} runs`);
  return [...log.filter((line) => !line.includes("level=DEBUG")).map(plain), ...began].sort((a, b) =>
    parseInt(a) - parseInt(b)
  ).slice(-LINES).map((line) => line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line);
}

function plain(line: string): string {
  return line.split("\n")[0]!.replace(/time=\S+ level=\w+ /, "");
}

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
