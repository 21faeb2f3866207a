/** Measurements of what surrounds workflows: finished ones whose time is over, and cron workflows that all fire at once. */
import type { Workflow } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { LABEL } from "@tiphys/base/constants";
import { CRON_WORKFLOWS, Informer, type KubeClient, type KubeObject, WORKFLOWS } from "@tiphys/kube";
import { NAMESPACE, startControlPlane } from "./control_plane.ts";
import { cronsOf, finishedOf, type Load, loadName } from "./loads.ts";
import { inLanes } from "./lanes.ts";
import { type Candidate, type Measurement, type MeasureOptions, warmController } from "./measure.ts";
import { startController, startKubelet } from "./processes.ts";

/**
 * Measures how long a controller that starts takes to delete finished workflows whose time to live is over, and what it
 * takes for that.
 */
export async function measureFinished(load: Load, candidate: Candidate, options: MeasureOptions): Promise<Measurement> {
  await using plane = await startControlPlane();
  await inLanes(finishedOf(load, NAMESPACE), (workflow) => plane.client.create(WORKFLOWS, NAMESPACE, workflow));
  const planeCpuBefore = plane.cpuSeconds();
  using there = await watchWorkflows(plane.client);
  const start = performance.now();
  await using running = startController(plane, candidate.command, options.logFile);
  await there.until("all are gone", (workflows) => workflows.size === 0, options);
  const seconds = (performance.now() - start) / 1000;
  return {
    load: loadName(load),
    candidate: candidate.name,
    seconds,
    podsPerSecond: 0,
    cpuSeconds: running.cpuSeconds(),
    planeCpuSeconds: plane.cpuSeconds() - planeCpuBefore,
    peakMemory: running.peakMemory(),
    eventLoopDelay: await running.stop(),
  };
}

/**
 * Measures what a controller holds that starts beside finished workflows and has run one of its own, and what one holds
 * that has run one where there are none.
 */
export async function measureKept(load: Load, candidate: Candidate, options: MeasureOptions): Promise<Measurement> {
  await using plane = await startControlPlane();
  await using kubelet = await startKubelet(plane, options.podMillis);
  const { memory: without } = await oneRun("without");
  await inLanes(finishedOf(load, NAMESPACE), (workflow) => plane.client.create(WORKFLOWS, NAMESPACE, workflow));
  const start = performance.now();
  const { memory: beside, ...used } = await oneRun("beside");
  const seconds = (performance.now() - start) / 1000;
  await kubelet.stop();
  return {
    load: loadName(load),
    candidate: candidate.name,
    seconds,
    podsPerSecond: 0,
    ...used,
    memory: { beside, without },
  };

  /** The use of a controller that starts, runs a workflow of this name, and has nothing left to do. */
  async function oneRun(name: string) {
    await using controller = await warmController(plane, candidate, options, name);
    return {
      memory: controller.memory(),
      peakMemory: controller.peakMemory(),
      cpuSeconds: controller.cpuSeconds(),
    };
  }
}

/** Measures how long after a full minute the workflows of all cron workflows are over that fire then. */
export async function measureCrons(load: Load, candidate: Candidate, options: MeasureOptions): Promise<Measurement> {
  await using plane = await startControlPlane();
  await using kubelet = await startKubelet(plane, options.podMillis);
  await using controller = await warmController(plane, candidate, options);
  const cpuBefore = controller.cpuSeconds();
  const planeCpuBefore = plane.cpuSeconds();
  using there = await watchWorkflows(plane.client);
  await inLanes(cronsOf(load, NAMESPACE), (cron) => plane.client.create(CRON_WORKFLOWS, NAMESPACE, cron));
  const slot = Math.ceil(Date.now() / MINUTE_MILLIS) * MINUTE_MILLIS;
  await pause(systemClock, slot - Date.now());
  const suffix = `-${slot / 1000}`;
  const isOver = ({ metadata: { name = "", labels } }: KubeObject) =>
    name.endsWith(suffix) && labels?.[LABEL.completed] === "true";
  const areOver = (workflows: ReadonlyMap<string, KubeObject>) =>
    [...workflows.values()].filter(isOver).length === load.size;
  await there.until("the workflow of each is over", areOver, options);
  const seconds = (Date.now() - slot) / 1000;
  const measured = {
    cpuSeconds: controller.cpuSeconds() - cpuBefore,
    planeCpuSeconds: plane.cpuSeconds() - planeCpuBefore,
    peakMemory: controller.peakMemory(),
  };
  const eventLoopDelay = await controller.stop();
  await kubelet.stop();
  return {
    load: loadName(load),
    candidate: candidate.name,
    seconds,
    podsPerSecond: load.size / seconds,
    ...measured,
    eventLoopDelay,
  };
}

const MINUTE_MILLIS = 60_000;

/** The workflows that are there, as they change. */
async function watchWorkflows(client: KubeClient) {
  const stop = new AbortController();
  const workflows = new Map<string, KubeObject>();
  let told = () => {};
  const copy = new Informer<Workflow & KubeObject>(client, WORKFLOWS, { namespace: NAMESPACE });
  copy.onChange((type, workflow) => {
    const name = workflow.metadata.name ?? "";
    if (type === "deleted") workflows.delete(name);
    else workflows.set(name, workflow);
    told();
  });
  await copy.start(stop.signal);
  return {
    async until(
      fact: string,
      holds: (workflows: ReadonlyMap<string, KubeObject>) => boolean,
      { limitSeconds, logFile }: MeasureOptions,
    ): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      let isLooked = true;
      const look = () => {
        isLooked = true;
        if (holds(workflows)) resolve();
      };
      // Looked at a few times in a second, however many changes there are.
      told = () => {
        if (isLooked) setTimeout(look, LOOK_MILLIS);
        isLooked = false;
      };
      const late = () => reject(new Error(`Waited ${limitSeconds} s in vain until ${fact}; see ${logFile}`));
      const timer = setTimeout(late, limitSeconds * 1000);
      look();
      await promise.finally(() => clearTimeout(timer));
    },
    [Symbol.dispose]: () => stop.abort(),
  };
}

const LOOK_MILLIS = 50;
