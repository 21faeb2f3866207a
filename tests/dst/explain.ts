/** The account of a run that ended badly: short enough to read, and in a form that can be kept as a test. */
import { stringifyYaml } from "@tiphys/model/yaml";
import type { Evidence } from "./evidence.ts";
import type { BadRun } from "./shrink.ts";

/** The number of last lines of the log that are shown. */
const LINES = 24;
const LONGEST_LINE = 180;

/** The text of a file for `kept/`. The name of the case is enough where its workflow is the whole one. */
export function asKept({ case: one, seed, faults, problems }: BadRun, isWhole: boolean): string {
  const { name, workflow, objects, pods, people } = one;
  const { metadata: _, ...rest } = workflow;
  const what = isWhole ? { case: name } : { workflow: rest, objects, pods, people };
  return stringifyYaml({ about: problems[0], ...withoutUndefined(what), seed, faults });
}

/** The end of a run's log, without what is said for experts, and with the moments at which pods began to run. */
export function timeline({ log, starts }: Pick<Evidence, "log" | "starts">): string[] {
  const began = starts.map(({ at, pod }) => `${String(Math.round(at)).padStart(8)} ms pod ${pod.metadata.name} runs`);
  return [...log.filter((line) => !line.includes("level=DEBUG")).map(plain), ...began].sort((a, b) =>
    parseInt(a) - parseInt(b)
  ).slice(-LINES).map((line) => line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line);
}

function plain(line: string): string {
  return line.split("\n")[0]!.replace(/time=\S+ level=\w+ /, "");
}

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
