/**
 * What the auxiliary container does once main may run: opens the report, waits, collects, reports, closes the report.
 * The same in both layouts (spec/pods 5).
 */
import { CONTAINER, ENV, EXIT, NO_DEADLINE } from "../lib/constants.ts";
import { driverFor } from "../lib/artifact/mod.ts";
import { untilAllExited } from "./exit_code.ts";
import { describe, writeTerminationMessage } from "./failure.ts";
import { readParameters, readResult } from "./outputs.ts";
import { openReport, type Report } from "./report.ts";
import { receiveSignals, sendSignal } from "./signals.ts";
import { mainContainers, type PodTemplate, readTemplate } from "./template.ts";
import { containerFolder, makeSharedFolder, type World } from "./world.ts";

const DEFAULT_GRACE_SECONDS = 30;

/**
 * Waits for main and reports. `failure` says why main was not let go; then there is nothing to collect.
 * @returns the exit code: 0 when the report is whole and nothing went wrong.
 */
export async function finish(world: World, failure: string | undefined): Promise<number> {
  const problems = failure === undefined ? [] : [failure];
  let report: Report | undefined;
  try {
    report = await openReport(world);
  } catch (error) {
    problems.push(describe(error));
  }
  try {
    const template = await readTemplate(world);
    const late = await waitForMain(world, template);
    if (late) problems.push(late);
    if (failure === undefined && report) await collect(world, template, report, problems);
  } catch (error) {
    problems.push(describe(error));
  }
  try {
    await report?.close();
  } catch (error) {
    problems.push(describe(error));
  }
  if (problems.length === 0) return 0;
  await writeTerminationMessage(world, problems[0]);
  for (const problem of problems) world.log(problem);
  return EXIT.executorError;
}

/**
 * Waits until all main containers have ended, or somebody says that the pod must end: what they leave is collected all
 * the same. Returns what to say when the deadline ended them.
 */
async function waitForMain(world: World, template: PodTemplate): Promise<string | undefined> {
  const containers = mainContainers(template);
  const stop = new AbortController();
  const onSignal = () => stop.abort(new Error("signalled"));
  const own = world.env(ENV.containerName) ?? CONTAINER.supervisor;
  await makeSharedFolder(containerFolder(world, own));
  Deno.addSignalListener("SIGTERM", onSignal);
  const listening = receiveSignals(world, own, onSignal, stop.signal);
  const deadline = watchDeadline(world, containers);
  try {
    await untilAllExited(world, containers, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    await letMainEnd(world, containers);
  } finally {
    Deno.removeSignalListener("SIGTERM", onSignal);
    stop.abort(new Error("over"));
    deadline.clear();
    await listening;
  }
  return deadline.passed() ? "Step exceeded its deadline" : undefined;
}

/** A pod that is being ended: its main containers were told so too, and what they write last is worth the wait. */
async function letMainEnd(world: World, containers: readonly string[]): Promise<void> {
  const grace = Number(world.env(ENV.terminationGracePeriodSeconds) ?? DEFAULT_GRACE_SECONDS);
  const limit = AbortSignal.timeout(Math.max(1, grace - 2) * 1000);
  try {
    await untilAllExited(world, containers, limit);
  } catch (error) {
    if (!limit.aborted) throw error;
  }
}

function watchDeadline(world: World, containers: readonly string[]): { clear(): void; passed(): boolean } {
  const text = world.env(ENV.deadline);
  if (!text || text === NO_DEADLINE) return { clear() {}, passed: () => false };
  let passed = false;
  const grace = Number(world.env(ENV.terminationGracePeriodSeconds) ?? DEFAULT_GRACE_SECONDS) * 1000;
  const send = (signal: number) => {
    for (const container of containers) {
      sendSignal(world, container, signal).catch((error) => world.log(describe(error)));
    }
  };
  const timers = [setTimer(Date.parse(text) - Date.now(), () => {
    passed = true;
    send(15);
    timers.push(setTimer(grace, () => send(9)));
  })];
  return { clear: () => timers.forEach((timer) => clearTimeout(timer)), passed: () => passed };
}

function setTimer(millis: number, act: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(act, Math.min(Math.max(0, millis), 2 ** 31 - 1));
}

async function collect(world: World, template: PodTemplate, report: Report, problems: string[]): Promise<void> {
  const outputs: Parameters<Report["outputs"]>[0] = {};
  const attempt = async (what: () => Promise<void>) => {
    try {
      await what();
    } catch (error) {
      problems.push(describe(error));
    }
  };
  await attempt(async () => {
    outputs.result = await readResult(world, template);
  });
  await attempt(async () => {
    outputs.parameters = await readParameters(world, template);
  });
  for (const artifact of template.outputs?.artifacts ?? []) {
    if (!artifact.path) continue;
    await attempt(async () => {
      await driverFor(artifact);
    });
  }
  await report.outputs(outputs);
}
