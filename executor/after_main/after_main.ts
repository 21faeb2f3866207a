/**
 * The main sequence of the auxiliary container, from the moment that main may start: open the report, wait for main,
 * collect outputs, report them, close the report. Both pod layouts use it.
 */
import { ANNOTATION, EXIT, MAX_REPORT_BYTES } from "@tiphys/base/constants";
import type { Stage } from "@tiphys/model/termination_message";
import { VERSION } from "@tiphys/base/version";
import { stopArtifactPlugins } from "../pod/stop_artifact_plugins.ts";
import { type Deadline, enforceDeadline } from "../process/deadline.ts";
import { readExitCode, waitForAllExits } from "../process/exit_code.ts";
import { describeError, ExecutorError, messageOf, toExecutorError, writeTerminationMessage } from "../failure.ts";
import { giveBackMemory } from "../process/give_back_memory.ts";
import { exitWithin } from "../process/kill_containers.ts";
import { findVersionMismatch, hasStarted, recordDeath } from "../pod/life.ts";
import { readParameters, readResult } from "./outputs.ts";
import { watchProgress } from "./progress.ts";
import { checkReportSize, openReport, type ReportedOutputs, sizeOfReport } from "./report.ts";
import type { SaveResult } from "./save_artifacts.ts";
import type { SentLog } from "./sent_log.ts";
import { openUploadDeadline, type UploadDeadline } from "./upload_cut.ts";
import type { StageClock } from "../pod/stage_clock.ts";
import { mainContainers, type PodTemplate, readPodTemplate, type TemplateArtifact } from "../pod/template.ts";
import { graceSeconds, type World } from "../world.ts";

/** Seconds of the grace period that are reserved for collecting and reporting. */
const REPORT_SECONDS = 2;

/**
 * Milliseconds after the start of the wait at which unused memory is released: by then the report is open and the
 * process only waits.
 */
const SETTLED_MILLIS = 500;

/** The failures so far, in order. The termination message reports the first one. */
type Problems = ExecutorError[];

/** The signals that may arrive while main runs, and the failure, if any, of the stages before it. */
export interface PodEvents {
  /** Aborted when the pod is being terminated. */
  readonly stop: AbortSignal;
  readonly deadline: Deadline;
  /** The reason why main was never started. When set, main has left nothing to collect except perhaps a log. */
  readonly failure?: ExecutorError;
  readonly stages: StageClock;
}

/**
 * Waits for main, collects its outputs and reports them. Kills main at the deadline.
 * @returns the exit code: 0 when the report is complete, nothing failed, and main ended in time.
 */
export async function collectAndReport(world: World, { stop, deadline, failure, stages }: PodEvents): Promise<number> {
  const problems: Problems = failure === undefined ? [] : [failure];
  const mainStarted = failure === undefined;
  // Opening the report does not block the wait, so the deadline is enforced even when the API server is unreachable.
  using cut = openUploadDeadline(world, stop);
  const opening = recordFailure(
    problems,
    "report",
    () => stages.time("create_task_result", () => openReport(world, { mainStarted })),
  );
  const template = await recordFailure(problems, "inputs", () => readPodTemplate(world));
  await using progress = watchProgress(world, async (text) => await (await opening)?.progress(text));
  const live = template && mainStarted
    ? await recordFailure(problems, "outputs", async () => {
      if (template.archiveLocation?.archiveLogs !== true) return undefined;
      const { watchLogs } = await import("./live_logs.ts");
      return watchLogs(world, template, async (artifacts) => {
        await (await opening)?.before({ artifacts: [...artifacts] });
      });
    })
    : undefined;
  const settled = world.clock.after(SETTLED_MILLIS, giveBackMemory);
  const late = template && await recordFailure(
    problems,
    "deadline",
    () => stages.time("wait_workload", () => waitForMain(world, template, stop, deadline)),
  );
  settled();
  const sent = await live?.end();
  if (template) await recordFailure(problems, "outputs", () => warnOfDrift(world, template));
  const collected = template && await collectOutputs(world, template, problems, { mainStarted, cut, stages, sent });
  const outputs = collected?.outputs && fitIntoReport(collected.outputs, problems);
  const report = await opening;
  await recordFailure(problems, "outputs", () => stopArtifactPlugins(world));
  const succeeded = template !== undefined && problems.length === 0 && late === undefined &&
    await recordFailure(problems, "outputs", () => allSucceeded(world, template)) === true;
  await recordFailure(problems, "report", async () => {
    await report?.close({
      outputs,
      logs: collected?.logs,
      progress: await progress.latest(),
      stages: stages.annotation(),
      succeeded,
    });
  });
  for (const problem of problems) world.log(`Error: ${problem.message}`);
  // If the deadline ended main, report the deadline first: missing outputs are only a consequence of it.
  const first = late ?? problems[0];
  if (!first) return 0;
  writeTerminationMessage(world, messageOf(first));
  return EXIT.executorError;
}

function warnOfDrift(world: World, template: PodTemplate): void {
  for (const container of mainContainers(template)) {
    const version = findVersionMismatch(world, container);
    if (version) {
      world.log(
        `container ${container} ran argoexec ${version}, but this container runs ${VERSION}: use the same release in both`,
      );
    }
  }
}

function allSucceeded(world: World, template: PodTemplate): boolean {
  return mainContainers(template).every((container) => readExitCode(world, container) === 0);
}

/** Returns the result of `act`. If it fails, adds the failure to `problems` and returns undefined. */
async function recordFailure<T>(problems: Problems, stage: Stage, act: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    problems.push(toExecutorError(stage, error));
    return undefined;
  }
}

/**
 * Waits until all main containers have exited, or until the pod is being terminated. In that case main has received
 * SIGTERM as well, and its last output is waited for, within the grace period less {@link REPORT_SECONDS}. Returns the
 * error to report if the deadline ended main.
 */
async function waitForMain(
  world: World,
  template: PodTemplate,
  stop: AbortSignal,
  deadline: Deadline,
): Promise<ExecutorError | undefined> {
  const containers = mainContainers(template);
  const over = new AbortController();
  using enforcement = enforceDeadline(deadline, world, containers);
  const deaths = containers.map((container) =>
    recordDeath(world, container, over.signal).catch((error) => {
      if (!over.signal.aborted) world.log(`the exit of ${container} may go unnoticed: ${describeError(error)}`);
    })
  );
  try {
    await waitForAllExits(world, containers, AbortSignal.any([stop, enforcement.inVain]));
  } catch (error) {
    if (!stop.aborted) throw error;
    await exitWithin(
      world,
      await selectStarted(world, containers),
      Math.max(1, graceSeconds(world) - REPORT_SECONDS) * 1000,
    );
  } finally {
    over.abort();
    await Promise.all(deaths);
  }
  return deadline.reached.aborted ? deadline.reached.reason : undefined;
}

/**
 * Returns the containers whose executor has started. The pod can be terminated while the image of main is still being
 * pulled.
 */
async function selectStarted(world: World, containers: readonly string[]): Promise<string[]> {
  const lived = await Promise.all(containers.map((container) => hasStarted(world, container)));
  return containers.filter((_, index) => lived[index]);
}

/** The outputs of main; only the logs when main reports its outputs itself. */
interface MainOutputs {
  readonly outputs?: ReportedOutputs;
  readonly logs?: readonly TemplateArtifact[];
}

/**
 * Collects everything that main left. Each failure is added to `problems` and the rest is still collected. If main was
 * never started, or reports its outputs itself, only logs are collected.
 */
async function collectOutputs(
  world: World,
  template: PodTemplate,
  problems: Problems,
  { mainStarted, cut, stages, sent }: {
    readonly sent: ReadonlyMap<string, SentLog> | undefined;
    readonly mainStarted: boolean;
    readonly cut: UploadDeadline;
    readonly stages: StageClock;
  },
): Promise<MainOutputs> {
  const keep = ({ artifacts, problems: texts }: SaveResult) => {
    if (texts.length) problems.push(new ExecutorError(texts.join("; "), { stage: "outputs" }));
    return artifacts;
  };
  const save = async (name: "save_artifacts" | "save_logs", act: (saving: SaveModule) => Promise<SaveResult>) =>
    keep(await stages.time(name, async () => await act(await import("./save_artifacts.ts")), hasProblems));
  const reached = cut.begin();
  const logs = async () => {
    if (template.archiveLocation?.archiveLogs !== true) return [];
    return await save("save_logs", ({ saveLogs }) => saveLogs(world, template, reached, sent));
  };
  // A resource template reports its outputs itself. They must not be overwritten; only logs are added.
  if (mainStarted && template.resource) return { logs: await logs() };
  if (!mainStarted) return { outputs: addArtifacts({}, await logs()) };
  const result = await recordFailure(problems, "outputs", () => readResult(world, template));
  const parameters = readParameters(world, template, (problem) => problems.push(problem));
  const exitCode = await recordFailure(problems, "outputs", () => readExitCode(world, "main")?.toString());
  const artifacts = template.outputs?.artifacts?.length && shouldSaveArtifacts(world, template)
    ? await save("save_artifacts", ({ saveArtifacts }) => saveArtifacts(world, template, reached))
    : [];
  return { outputs: addArtifacts({ result, parameters, exitCode }, [...artifacts, ...await logs()]) };
}

/** The module that saves artifacts. Only pods that save something load it. */
type SaveModule = typeof import("./save_artifacts.ts");

function hasProblems({ problems }: SaveResult): boolean {
  return problems.length > 0;
}

/**
 * Reports whether to save artifacts. Artifacts of a failed main are saved unless an annotation of the template disables
 * it.
 */
function shouldSaveArtifacts(world: World, template: PodTemplate): boolean {
  if (template.metadata?.annotations?.[ANNOTATION.artifactsOnFailure] !== "false" || allSucceeded(world, template)) {
    return true;
  }
  world.log(`main failed: artifacts are not saved because the annotation ${ANNOTATION.artifactsOnFailure} is "false"`);
  return false;
}

/**
 * Returns the outputs if they fit into a report. If not, adds a problem and returns only the artifacts and the exit
 * code, or undefined if even these are too large.
 */
function fitIntoReport(outputs: ReportedOutputs, problems: Problems): ReportedOutputs | undefined {
  try {
    checkReportSize(outputs);
    return outputs;
  } catch (error) {
    problems.push(toExecutorError("outputs", error));
    const { artifacts, exitCode } = outputs;
    return sizeOfReport({ artifacts, exitCode }) > MAX_REPORT_BYTES ? undefined : { artifacts, exitCode };
  }
}

function addArtifacts(
  outputs: ReportedOutputs,
  artifacts: NonNullable<ReportedOutputs["artifacts"]>,
): ReportedOutputs {
  return artifacts.length ? { ...outputs, artifacts } : outputs;
}
