/**
 * The work of the auxiliary container once main may run: opens the report, waits, collects, reports, closes the report.
 * The same in both layouts.
 */
import { ANNOTATION, EXIT, MOST_REPORT_BYTES } from "../../lib/constants.ts";
import type { Stage } from "../../lib/termination_message.ts";
import { VERSION } from "../../lib/version.ts";
import { stopArtifactPlugins } from "../before_main/artifact_plugins.ts";
import { type Deadline, enforce } from "./deadline.ts";
import { readExitCode, untilAllExited } from "../command/exit_code.ts";
import { describe, ExecutorError, failureAt, messageOf, writeTerminationMessage } from "../failure.ts";
import { giveBackMemory } from "../command/give_back_memory.ts";
import { endWithin } from "./kill_containers.ts";
import { hasLived, otherVersion, tellDeath } from "../pod/life.ts";
import { readParameters, readResult } from "./outputs.ts";
import { watchProgress } from "./progress.ts";
import { checkReportSize, openReport, type ReportedOutputs, sizeOfReport } from "./report.ts";
import type { Saved } from "./save_artifacts.ts";
import type { SentLog } from "./sent_log.ts";
import { type UploadCut, uploadCut } from "./upload_cut.ts";
import type { StageClock } from "../pod/stage_clock.ts";
import { mainContainers, ownTemplate, type PodTemplate, type TemplateArtifact } from "../pod/template.ts";
import { graceSeconds, type World } from "../world.ts";

/** Seconds of the grace period that are kept for collecting and reporting. */
const REPORT_SECONDS = 2;

/** The time after which main was let go and the report is open, milliseconds: nothing is left to do but to wait. */
const SETTLED_MILLIS = 500;

/** The failures so far, in order; the message of the pod tells the first. */
type Problems = ExecutorError[];

/** The signals of the pod's end that may come while main runs, and what has failed before. */
export interface PodEvents {
  /** Aborted when the pod is being ended. */
  readonly stop: AbortSignal;
  readonly deadline: Deadline;
  /** The reason why main was not let go; then there is nothing to collect. */
  readonly failure?: ExecutorError;
  readonly stages: StageClock;
}

/**
 * Waits for main and reports. Main is ended at the deadline.
 * @returns the exit code: 0 when the report is whole, nothing went wrong, and main ended in time.
 */
export async function finish(world: World, { stop, deadline, failure, stages }: PodEvents): Promise<number> {
  const problems: Problems = failure === undefined ? [] : [failure];
  const mainStarted = failure === undefined;
  // The deadline holds although the API server cannot be reached.
  using cut = uploadCut(world, stop);
  const opening = attempt(
    problems,
    "report",
    () => stages.time("create_task_result", () => openReport(world, { mainStarted })),
  );
  const template = await attempt(problems, "inputs", () => ownTemplate(world));
  await using progress = watchProgress(world, async (text) => await (await opening)?.progress(text));
  const live = template && mainStarted
    ? await attempt(problems, "outputs", async () => {
      if (template.archiveLocation?.archiveLogs !== true) return undefined;
      const { watchLogs } = await import("./live_logs.ts");
      return watchLogs(world, template, async (artifacts) => {
        await (await opening)?.before({ artifacts: [...artifacts] });
      });
    })
    : undefined;
  const settled = world.clock.after(SETTLED_MILLIS, giveBackMemory);
  const late = template && await attempt(
    problems,
    "deadline",
    () => stages.time("wait_workload", () => waitForMain(world, template, stop, deadline)),
  );
  settled();
  const sent = await live?.end();
  if (template) await attempt(problems, "outputs", () => warnOfDrift(world, template));
  const collected = template && await collect(world, template, problems, { mainStarted, cut, stages, sent });
  const outputs = collected?.outputs && reportable(collected.outputs, problems);
  const report = await opening;
  await attempt(problems, "outputs", () => stopArtifactPlugins(world));
  const succeeded = template !== undefined && problems.length === 0 && late === undefined &&
    await attempt(problems, "outputs", () => allEndedWell(world, template)) === true;
  await attempt(problems, "report", async () => {
    await report?.close({
      outputs,
      logs: collected?.logs,
      progress: await progress.latest(),
      stages: stages.told(),
      succeeded,
    });
  });
  for (const problem of problems) world.log(`Error: ${problem.message}`);
  // Outputs that a main that was ended did not come to leave are no failure of their own.
  const first = late ?? problems[0];
  if (!first) return 0;
  writeTerminationMessage(world, messageOf(first));
  return EXIT.executorError;
}

function warnOfDrift(world: World, template: PodTemplate): void {
  for (const container of mainContainers(template)) {
    const version = otherVersion(world, container);
    if (version) {
      world.log(`the container ${container} ran argoexec ${version}, and this is ${VERSION}: one release expected`);
    }
  }
}

function allEndedWell(world: World, template: PodTemplate): boolean {
  return mainContainers(template).every((container) => readExitCode(world, container) === 0);
}

/** The result of `act`; undefined, and a problem more, when it fails. */
async function attempt<T>(problems: Problems, stage: Stage, act: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    problems.push(failureAt(stage, error));
    return undefined;
  }
}

/**
 * Waits until all main containers have ended, or the pod must end: then main was told so too, and what it writes last is
 * worth a part of the grace period. Returns what to say when the deadline ended it.
 */
async function waitForMain(
  world: World,
  template: PodTemplate,
  stop: AbortSignal,
  deadline: Deadline,
): Promise<ExecutorError | undefined> {
  const containers = mainContainers(template);
  const over = new AbortController();
  using enforcement = enforce(deadline, world, containers);
  const deaths = containers.map((container) =>
    tellDeath(world, container, over.signal).catch((error) => {
      if (!over.signal.aborted) world.log(`the end of ${container} may not be noticed: ${describe(error)}`);
    })
  );
  try {
    await untilAllExited(world, containers, AbortSignal.any([stop, enforcement.inVain]));
  } catch (error) {
    if (!stop.aborted) throw error;
    await endWithin(world, await started(world, containers), Math.max(1, graceSeconds(world) - REPORT_SECONDS) * 1000);
  } finally {
    over.abort();
    await Promise.all(deaths);
  }
  return deadline.reached.aborted ? deadline.reached.reason : undefined;
}

/** The containers whose executor was ever started: a pod can be ended while the image of main is being pulled. */
async function started(world: World, containers: readonly string[]): Promise<string[]> {
  const lived = await Promise.all(containers.map((container) => hasLived(world, container)));
  return containers.filter((_, index) => lived[index]);
}

/** The things that main left: its outputs, or logs only, where it has told its outputs itself. */
interface Collected {
  readonly outputs?: ReportedOutputs;
  readonly logs?: readonly TemplateArtifact[];
}

/**
 * Everything main left; what cannot be had is a problem and the rest is kept. A main that was never let go, and one that
 * reports for itself, left a log at most.
 */
async function collect(
  world: World,
  template: PodTemplate,
  problems: Problems,
  { mainStarted, cut, stages, sent }: {
    readonly sent: ReadonlyMap<string, SentLog> | undefined;
    readonly mainStarted: boolean;
    readonly cut: UploadCut;
    readonly stages: StageClock;
  },
): Promise<Collected> {
  const keep = ({ artifacts, problems: texts }: Saved) => {
    if (texts.length) problems.push(new ExecutorError(texts.join("; "), { stage: "outputs" }));
    return artifacts;
  };
  const save = async (name: "save_artifacts" | "save_logs", act: (saving: Saving) => Promise<Saved>) =>
    keep(await stages.time(name, async () => await act(await import("./save_artifacts.ts")), hasProblems));
  const reached = cut.begin();
  const logs = async () => {
    if (template.archiveLocation?.archiveLogs !== true) return [];
    return await save("save_logs", ({ saveLogs }) => saveLogs(world, template, reached, sent));
  };
  // A main that reports for itself has told its outputs, in the place of which nothing may come: logs stand beside them.
  if (mainStarted && template.resource) return { logs: await logs() };
  if (!mainStarted) return { outputs: withArtifacts({}, await logs()) };
  const result = await attempt(problems, "outputs", () => readResult(world, template));
  const parameters = readParameters(world, template, (problem) => problems.push(problem));
  const exitCode = await attempt(problems, "outputs", () => readExitCode(world, "main")?.toString());
  const artifacts = template.outputs?.artifacts?.length && isToBeSaved(world, template)
    ? await save("save_artifacts", ({ saveArtifacts }) => saveArtifacts(world, template, reached))
    : [];
  return { outputs: withArtifacts({ result, parameters, exitCode }, [...artifacts, ...await logs()]) };
}

/** The code that saves, which is loaded only by pods that save something. */
type Saving = typeof import("./save_artifacts.ts");

function hasProblems({ problems }: Saved): boolean {
  return problems.length > 0;
}

/** Whether artifacts are saved: those of a main that failed are, unless its template says otherwise. */
function isToBeSaved(world: World, template: PodTemplate): boolean {
  if (template.metadata?.annotations?.[ANNOTATION.artifactsOnFailure] !== "false" || allEndedWell(world, template)) {
    return true;
  }
  world.log(`main failed, so no artifact is saved, as the annotation ${ANNOTATION.artifactsOnFailure} says`);
  return false;
}

/**
 * The part of the outputs that a report can hold: without the values where those are too large together; undefined
 * where nothing fits.
 */
function reportable(outputs: ReportedOutputs, problems: Problems): ReportedOutputs | undefined {
  try {
    checkReportSize(outputs);
    return outputs;
  } catch (error) {
    problems.push(failureAt("outputs", error));
    const { artifacts, exitCode } = outputs;
    return sizeOfReport({ artifacts, exitCode }) > MOST_REPORT_BYTES ? undefined : { artifacts, exitCode };
  }
}

function withArtifacts(
  outputs: ReportedOutputs,
  artifacts: NonNullable<ReportedOutputs["artifacts"]>,
): ReportedOutputs {
  return artifacts.length ? { ...outputs, artifacts } : outputs;
}
