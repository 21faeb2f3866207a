/**
 * The times of the stages of an aux container, in an annotation of its node's report: `name began ended`, followed by `
 * failed` for a failed stage; stages are separated by `; `. The executor writes it for a traced node; the controller
 * turns it into spans.
 */

/** The stages, with the names of Argo's spans. */
export const STAGES = [
  "load_artifacts",
  "create_task_result",
  "wait_workload",
  "save_artifacts",
  "save_logs",
  "patch_task_result",
] as const;

/**
 * The stage that writes the report with these times. It is still running then, so its end equals its start; the reader
 * uses the time at which it received the report.
 */
export const LAST_STAGE = "patch_task_result" satisfies typeof STAGES[number];

export type StageName = typeof STAGES[number];

/** The start and end of a stage, in milliseconds since the epoch. */
export interface StageTime {
  readonly name: StageName;
  readonly began: number;
  readonly ended: number;
  readonly hasFailed: boolean;
}

/** Maximum length of the annotation; that of all stages is shorter. */
const MAX_CHARACTERS = 512;

const FORM = /^(?<name>[a-z_]+) (?<began>\d{1,15}) (?<ended>\d{1,15})(?<failed> failed)?$/;

/** Returns the text of the annotation. */
export function formatStageTimes(stages: readonly StageTime[]): string {
  const whole = (millis: number) => Math.max(0, Math.trunc(millis));
  return stages
    .map(({ name, began, ended, hasFailed }) => `${name} ${whole(began)} ${whole(ended)}${hasFailed ? " failed" : ""}`)
    .join("; ");
}

/**
 * Parses the annotation, which any pod of the namespace can write: reads each known stage once and ignores the rest.
 */
export function parseStageTimes(text: string | undefined): StageTime[] {
  if (text === undefined || text.length > MAX_CHARACTERS) return [];
  const found = new Map<string, StageTime>();
  for (const part of text.split("; ")) {
    const { name: word, began, ended, failed } = FORM.exec(part)?.groups ?? {};
    const name = STAGES.find((stage) => stage === word);
    if (!name || found.has(name)) continue;
    found.set(name, { name, began: Number(began), ended: Number(ended), hasFailed: failed !== undefined });
  }
  return [...found.values()];
}
