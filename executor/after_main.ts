/**
 * What the auxiliary container does once main may run: opens the report, waits, collects, reports, closes the report.
 * The same in both layouts (spec/pods 5).
 */
import { EXIT } from "../lib/constants.ts";
import { checkArtifactStores } from "./artifact_outputs.ts";
import { watchDeadline } from "./deadline.ts";
import { readExitCode, untilAllExited } from "./exit_code.ts";
import { describe, writeTerminationMessage } from "./failure.ts";
import { readParameters, readResult } from "./outputs.ts";
import { watchProgress } from "./progress.ts";
import { openReport, type ReportedOutputs } from "./report.ts";
import { mainContainers, type PodTemplate, readTemplate } from "./template.ts";
import { graceSeconds, type World } from "./world.ts";

/** Seconds of the grace period that are kept for collecting and reporting. */
const REPORT_SECONDS = 2;

/** What went wrong, in order; the first is what the pod's message tells. */
type Problems = string[];

/**
 * Waits for main and reports. `stop` says that the pod is being ended. `failure` says why main was not let go; then
 * there is nothing to collect.
 * @returns the exit code: 0 when the report is whole and nothing went wrong.
 */
export async function finish(world: World, stop: AbortSignal, failure: string | undefined): Promise<number> {
  const problems: Problems = failure === undefined ? [] : [failure];
  const report = await attempt(problems, () => openReport(world));
  const template = await attempt(problems, () => readTemplate(world));
  await using progress = watchProgress(world, async (text) => await report?.progress(text));
  const late = template && await attempt(problems, () => waitForMain(world, template, stop));
  const outputs = template && failure === undefined ? await collect(world, template, problems) : undefined;
  const succeeded = template !== undefined && problems.length === 0 && late === undefined &&
    await allEndedWell(world, template);
  await attempt(problems, async () => {
    await report?.close({ outputs, progress: await progress.latest(), succeeded });
  });
  for (const problem of problems) world.log(problem);
  const message = problems[0] ?? late;
  if (message) await writeTerminationMessage(world, message);
  return problems.length ? EXIT.executorError : 0;
}

async function allEndedWell(world: World, template: PodTemplate): Promise<boolean> {
  const codes = await Promise.all(mainContainers(template).map((container) => readExitCode(world, container)));
  return codes.every((code) => code === 0);
}

/** What comes of it; undefined, and a problem more, when nothing does. */
async function attempt<T>(problems: Problems, act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    problems.push(describe(error));
    return undefined;
  }
}

/**
 * Waits until all main containers have ended, or the pod must end: then main was told so too, and what it writes last is
 * worth a part of the grace period. Returns what to say when the deadline ended it.
 */
async function waitForMain(world: World, template: PodTemplate, stop: AbortSignal): Promise<string | undefined> {
  const containers = mainContainers(template);
  using deadline = watchDeadline(world, containers);
  try {
    await untilAllExited(world, containers, stop);
  } catch (error) {
    if (!stop.aborted) throw error;
    const limit = AbortSignal.timeout(Math.max(1, graceSeconds(world) - REPORT_SECONDS) * 1000);
    await untilAllExited(world, containers, limit).catch((error) => {
      if (!limit.aborted) throw error;
    });
  }
  return deadline.passed ? "Step exceeded its deadline" : undefined;
}

/** Everything main left; what cannot be had is a problem and the rest is kept. */
async function collect(world: World, template: PodTemplate, problems: Problems): Promise<ReportedOutputs> {
  const result = await attempt(problems, () => readResult(world, template));
  const tell = (problem: Error) => problems.push(problem.message);
  const parameters = await attempt(problems, () => readParameters(world, template, tell));
  await attempt(problems, () => checkArtifactStores(world, template));
  return { result, parameters };
}
