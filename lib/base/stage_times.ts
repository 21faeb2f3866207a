/**
 * The times of the stages of a container of ours beside main, in an annotation of its node's report: `name began ended`,
 * and `failed` where it did, with `; ` between two stages. The executor writes it for a traced node, the controller makes
 * spans of it.
 */

/** The stages, by the names of Argo's spans. */
export const STAGES = [
  "load_artifacts",
  "create_task_result",
  "wait_workload",
  "save_artifacts",
  "save_logs",
  "patch_task_result",
] as const;

/**
 * The stage that is still under way when it is told: the last write of a report, which tells it. It ends where it began, and
 * for who hears of it when that is.
 */
export const LAST_STAGE = "patch_task_result" satisfies typeof STAGES[number];

/** The name of a stage. */
export type StageName = typeof STAGES[number];

/** The time that a stage took, in milliseconds since 1970. */
export interface StageTime {
  readonly name: StageName;
  readonly began: number;
  readonly ended: number;
  readonly hasFailed: boolean;
}

/** The most characters of the annotation that are read: those of all stages have fewer. */
const MOST_CHARACTERS = 512;

const FORM = /^(?<name>[a-z_]+) (?<began>\d{1,15}) (?<ended>\d{1,15})(?<failed> failed)?$/;

/** The text of the annotation. */
export function formatStageTimes(stages: readonly StageTime[]): string {
  const whole = (millis: number) => Math.max(0, Math.trunc(millis));
  return stages
    .map(({ name, began, ended, hasFailed }) => `${name} ${whole(began)} ${whole(ended)}${hasFailed ? " failed" : ""}`)
    .join("; ");
}

/** Reads the annotation, which any pod of the namespace can write: each stage that we know once, nothing else of it. */
export function parseStageTimes(text: string | undefined): StageTime[] {
  if (text === undefined || text.length > MOST_CHARACTERS) return [];
  const found = new Map<string, StageTime>();
  for (const part of text.split("; ")) {
    const { name: word, began, ended, failed } = FORM.exec(part)?.groups ?? {};
    const name = STAGES.find((stage) => stage === word);
    if (!name || found.has(name)) continue;
    found.set(name, { name, began: Number(began), ended: Number(ended), hasFailed: failed !== undefined });
  }
  return [...found.values()];
}
