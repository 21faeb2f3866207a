/** Measurements of finished workflows whose time to live has expired, and of cron workflows that all run at once. */
import type { Workflow } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { LABEL } from "@tiphys/base/constants";
import { CRON_WORKFLOWS, type KubeClient, type KubeObject, WORKFLOWS } from "@tiphys/kube";
import { Informer } from "@tiphys/kube/informers";
import { NAMESPACE, startControlPlane } from "./control_plane.ts";
import { cronsOf, finishedOf, type Load, loadName } from "./loads.ts";
import { forEachConcurrently } from "./lanes.ts";
import { type Candidate, type Measurement, type MeasureOptions, warmController } from "./measure.ts";
import { startController, startKubelet } from "./processes.ts";

/** Measures the time and cost for a starting controller to delete finished workflows whose time to live has expired. */
export async function measureFinished(load: Load, candidate: Candidate, options: MeasureOptions): Promise<Measurement> {
  await using plane = await startControlPlane();
  await forEachConcurrently(
    finishedOf(load, NAMESPACE),
    (workflow) => plane.client.create(WORKFLOWS, NAMESPACE, workflow),
  );
  const planeCpuBefore = plane.cpuSeconds();
  using there = await watchWorkflows(plane.client);
  const start = performance.now();
  await using running = startController(plane, candidate.command, options.logFile);
  await there.until("all workflows are deleted", (workflows) => workflows.size === 0, options);
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
 * Measures the memory of a controller that has run one workflow, with many finished workflows in the cluster and
 * without them.
 */
export async function measureKept(load: Load, candidate: Candidate, options: MeasureOptions): Promise<Measurement> {
  await using plane = await startControlPlane();
  await using kubelet = await startKubelet(plane, options.podMillis);
  const { memory: without } = await measureOneRun("without");
  await forEachConcurrently(
    finishedOf(load, NAMESPACE),
    (workflow) => plane.client.create(WORKFLOWS, NAMESPACE, workflow),
  );
  const start = performance.now();
  const { memory: beside, ...used } = await measureOneRun("beside");
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

  /** The usage of a controller that starts, runs a workflow of this name, and becomes idle. */
  async function measureOneRun(name: string) {
    await using controller = await warmController(plane, candidate, options, name);
    return {
      memory: controller.memory(),
      peakMemory: controller.peakMemory(),
      cpuSeconds: controller.cpuSeconds(),
    };
  }
}

/** Measures the time after a full minute at which the workflows of all cron workflows are completed. */
export async function measureCrons(load: Load, candidate: Candidate, options: MeasureOptions): Promise<Measurement> {
  await using plane = await startControlPlane();
  await using kubelet = await startKubelet(plane, options.podMillis);
  await using controller = await warmController(plane, candidate, options);
  const cpuBefore = controller.cpuSeconds();
  const planeCpuBefore = plane.cpuSeconds();
  using there = await watchWorkflows(plane.client);
  await forEachConcurrently(cronsOf(load, NAMESPACE), (cron) => plane.client.create(CRON_WORKFLOWS, NAMESPACE, cron));
  const slot = Math.ceil(Date.now() / MINUTE_MILLIS) * MINUTE_MILLIS;
  await pause(systemClock, slot - Date.now());
  const suffix = `-${slot / 1000}`;
  const isOver = ({ metadata: { name = "", labels } }: KubeObject) =>
    name.endsWith(suffix) && labels?.[LABEL.completed] === "true";
  const areOver = (workflows: ReadonlyMap<string, KubeObject>) =>
    [...workflows.values()].filter(isOver).length === load.size;
  await there.until("the workflow of each cron workflow is completed", areOver, options);
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

/** Watches the existing workflows. */
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
      // Evaluated a few times per second, independent of the number of changes.
      told = () => {
        if (isLooked) setTimeout(look, LOOK_MILLIS);
        isLooked = false;
      };
      const late = () => reject(new Error(`Timed out after ${limitSeconds} s: ${fact}; see ${logFile}`));
      const timer = setTimeout(late, limitSeconds * 1000);
      look();
      await promise.finally(() => clearTimeout(timer));
    },
    [Symbol.dispose]: () => stop.abort(),
  };
}

const LOOK_MILLIS = 50;
