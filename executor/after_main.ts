/**
 * What the auxiliary container does once main may run: opens the report, waits, collects, reports, closes the report.
 * The same in both layouts (spec/pods 5).
 */
import { EXIT } from "../lib/constants.ts";
import type { Stage } from "../lib/termination_message.ts";
import { VERSION } from "../lib/version.ts";
import { stopArtifactPlugins } from "./artifact_plugins.ts";
import { type Deadline, enforce } from "./deadline.ts";
import { readExitCode, untilAllExited } from "./exit_code.ts";
import { describe, ExecutorError, failureAt, messageOf, writeTerminationMessage } from "./failure.ts";
import { giveBackMemory } from "./give_back_memory.ts";
import { endWithin } from "./kill_containers.ts";
import { hasLived, otherVersion, tellDeath } from "./life.ts";
import { readParameters, readResult } from "./outputs.ts";
import { watchProgress } from "./progress.ts";
import { openReport, type ReportedOutputs } from "./report.ts";
import { saveArtifacts, type Saved, saveLogs } from "./save_artifacts.ts";
import { mainContainers, type PodTemplate, readTemplate } from "./template.ts";
import { graceSeconds, type World } from "./world.ts";

/** Seconds of the grace period that are kept for collecting and reporting. */
const REPORT_SECONDS = 2;

/** By then main was let go and the report is open, milliseconds: nothing is left to do but to wait. */
const SETTLED_MILLIS = 500;

/** What went wrong, in order; the first is what the pod's message tells. */
type Problems = ExecutorError[];

/** What may happen to the pod while main runs, and what has happened before. */
export interface PodEvents {
  /** Aborted when the pod is being ended. */
  readonly stop: AbortSignal;
  readonly deadline: Deadline;
  /** Why main was not let go; then there is nothing to collect. */
  readonly failure?: ExecutorError;
}

/**
 * Waits for main and reports. Main is ended at the deadline.
 * @returns the exit code: 0 when the report is whole, nothing went wrong, and main ended in time.
 */
export async function finish(world: World, { stop, deadline, failure }: PodEvents): Promise<number> {
  const problems: Problems = failure === undefined ? [] : [failure];
  const mainStarted = failure === undefined;
  // The deadline holds although the API server cannot be reached.
  const opening = attempt(problems, "report", () => openReport(world, { mainStarted }));
  const template = await attempt(problems, "inputs", () => readTemplate(world));
  await using progress = watchProgress(world, async (text) => await (await opening)?.progress(text));
  const settled = world.clock.after(SETTLED_MILLIS, giveBackMemory);
  const late = template && await attempt(problems, "deadline", () => waitForMain(world, template, stop, deadline));
  settled();
  if (template) await warnOfDrift(world, template);
  const outputs = template && await collect(world, template, problems, mainStarted);
  const report = await opening;
  await attempt(problems, "outputs", () => stopArtifactPlugins(world));
  const succeeded = template !== undefined && problems.length === 0 && late === undefined &&
    await allEndedWell(world, template);
  await attempt(problems, "report", async () => {
    await report?.close({ outputs, progress: await progress.latest(), succeeded });
  });
  for (const problem of problems) world.log(problem.message);
  // What a main that was ended did not leave any more is no news.
  const first = late ?? problems[0];
  if (!first) return 0;
  writeTerminationMessage(world, messageOf(first));
  return EXIT.executorError;
}

async function warnOfDrift(world: World, template: PodTemplate): Promise<void> {
  for (const container of mainContainers(template)) {
    const version = await otherVersion(world, container);
    if (version) {
      world.log(`the container ${container} ran argoexec ${version}, and this is ${VERSION}: one release expected`);
    }
  }
}

async function allEndedWell(world: World, template: PodTemplate): Promise<boolean> {
  const codes = await Promise.all(mainContainers(template).map((container) => readExitCode(world, container)));
  return codes.every((code) => code === 0);
}

/** What comes of it; undefined, and a problem more, when nothing does. */
async function attempt<T>(problems: Problems, stage: Stage, act: () => Promise<T>): Promise<T | undefined> {
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

/** Those whose executor was ever started: a pod can be ended while the image of main is being pulled. */
async function started(world: World, containers: readonly string[]): Promise<string[]> {
  const lived = await Promise.all(containers.map((container) => hasLived(world, container)));
  return containers.filter((_, index) => lived[index]);
}

/**
 * Everything main left; what cannot be had is a problem and the rest is kept. A main that was never let go, and one that
 * reports for itself, left a log at most.
 */
async function collect(
  world: World,
  template: PodTemplate,
  problems: Problems,
  mainStarted: boolean,
): Promise<ReportedOutputs | undefined> {
  const keep = ({ artifacts, problems: texts }: Saved) => {
    if (texts.length) problems.push(new ExecutorError(texts.join("; "), { stage: "outputs" }));
    return artifacts;
  };
  const logs = async () => keep(await saveLogs(world, template));
  if (!mainStarted || template.resource) return withArtifacts({}, await logs());
  const result = await attempt(problems, "outputs", () => readResult(world, template));
  const parameters = await attempt(
    problems,
    "outputs",
    () => readParameters(world, template, (problem) => problems.push(problem)),
  );
  const exitCode = (await readExitCode(world, "main"))?.toString();
  const artifacts = keep(await saveArtifacts(world, template));
  return withArtifacts({ result, parameters, exitCode }, [...artifacts, ...await logs()]);
}

function withArtifacts(
  outputs: ReportedOutputs,
  artifacts: NonNullable<ReportedOutputs["artifacts"]>,
): ReportedOutputs {
  return artifacts.length ? { ...outputs, artifacts } : outputs;
}
