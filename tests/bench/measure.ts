/** Runs one measurement: a new control plane, a fake kubelet, one controller, one load. */
import type { Workflow } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { LABEL } from "@tiphys/base/constants";
import { CONFIGMAPS, type KubeClient, WORKFLOWS } from "@tiphys/kube";
import { Informer } from "@tiphys/kube/informers";
import { type ApiUsage, readApiUsage, usageBetween } from "./api_usage.ts";
import { CEILING, courseOf, CourseRunner } from "./ceiling.ts";
import { type ControlPlane, NAMESPACE, startControlPlane } from "./control_plane.ts";
import type { PodTimes } from "./fake_kubelet.ts";
import { forEachConcurrently } from "./lanes.ts";
import { limitsOf, type Load, loadName, warmUpWorkflow, workflowsOf } from "./loads.ts";
import { type ControllerProcess, startController, startKubelet } from "./processes.ts";

/** A controller to measure: its name, and the beginning of its command line. */
export interface Candidate {
  readonly name: string;
  readonly command: string;
}

/** The measurements of one load with one candidate. */
export interface Measurement {
  readonly load: string;
  readonly candidate: string;
  /**
   * The time from the creation of the first workflow to the end of the last one. For `drain`, from the start of the
   * controller.
   */
  readonly seconds: number;
  readonly podsPerSecond: number;
  /** The times between the end of a pod and the creation of the next one, in milliseconds. Only for chains. */
  readonly gaps?: readonly number[];
  readonly cpuSeconds?: number;
  /** CPU time of etcd and the API server together, in seconds. */
  readonly planeCpuSeconds?: number;
  /** MiB. */
  readonly peakMemory?: number;
  /** Memory of the idle controller with existing workflows and without them, in MiB. */
  readonly memory?: { readonly beside: number; readonly without: number };
  /** 99th percentile, in milliseconds. Only for controllers on Deno. */
  readonly eventLoopDelay?: number;
  readonly usage?: ApiUsage;
}

/** The circumstances of a measurement. */
export interface MeasureOptions {
  readonly podMillis: number;
  /** Timeout of a load, in seconds. */
  readonly limitSeconds: number;
  readonly logFile: string;
}

/** Measures a load. @throws {Error} when a workflow does not succeed, or not in time. */
export async function measure(load: Load, candidate: Candidate, options: MeasureOptions): Promise<Measurement> {
  await using plane = await startControlPlane();
  await using kubelet = await startKubelet(plane, options.podMillis);
  await using controller = load.kind === "drain" ? undefined : await warmController(plane, candidate, options);
  const workflows = workflowsOf(load, NAMESPACE);
  const limits = limitsOf(load, NAMESPACE);
  if (limits) await plane.client.create(CONFIGMAPS, NAMESPACE, limits);
  if (load.kind === "drain") await createAll(plane.client, workflows);
  const usageBefore = await readApiUsage(plane.client);
  const cpuBefore = controller?.cpuSeconds() ?? 0;
  const planeCpuBefore = plane.cpuSeconds();
  using completion = await watchCompletion(plane.client);

  const start = performance.now();
  await using running = controller ?? startController(plane, candidate.command, options.logFile);
  if (load.kind !== "drain") await createAll(plane.client, workflows);
  const already = load.kind === "drain" ? 0 : 1;
  await completion.awaitCompleted(workflows.length + already, options);
  const seconds = (performance.now() - start) / 1000;

  const usage = usageBetween(usageBefore, await settledUsage(plane.client));
  const cpuSeconds = running.cpuSeconds() - cpuBefore;
  const planeCpuSeconds = plane.cpuSeconds() - planeCpuBefore;
  const peakMemory = running.peakMemory();
  const eventLoopDelay = await running.stop();
  const times = await kubelet.stop();
  return {
    load: loadName(load),
    candidate: candidate.name,
    seconds,
    podsPerSecond: load.size / seconds,
    ...(load.kind === "chain" ? { gaps: gapsOf(times.slice(already)) } : {}),
    cpuSeconds,
    planeCpuSeconds,
    peakMemory,
    eventLoopDelay,
    usage,
  };
}

/** Measures the ceiling of a load: the cost without a controller, which no controller can undercut. */
export async function measureCeiling(load: Load, options: MeasureOptions): Promise<Measurement> {
  const courses = workflowsOf(load, NAMESPACE).map(courseOf);
  await using plane = await startControlPlane();
  await using kubelet = await startKubelet(plane, options.podMillis);
  const workflows = courses.map(({ workflow }) => workflow);
  // As with a controller, the workflows of `drain` exist before the start.
  if (load.kind === "drain") await createAll(plane.client, workflows);
  using runner = await CourseRunner.start(plane.client, NAMESPACE);
  const usageBefore = await readApiUsage(plane.client);
  const planeCpuBefore = plane.cpuSeconds();
  const start = performance.now();
  if (load.kind !== "drain") await createAll(plane.client, workflows);
  await Promise.all(courses.map((course) => runner.follow(course)));
  const seconds = (performance.now() - start) / 1000;
  const usage = usageBetween(usageBefore, await settledUsage(plane.client));
  const planeCpuSeconds = plane.cpuSeconds() - planeCpuBefore;
  await kubelet.stop();
  return {
    load: loadName(load),
    candidate: CEILING,
    seconds,
    podsPerSecond: load.size / seconds,
    planeCpuSeconds,
    usage,
  };
}

/** Starts a controller and waits until it has run one workflow, so that it is known to be ready. */
export async function warmController(
  plane: ControlPlane,
  candidate: Candidate,
  options: MeasureOptions,
  name?: string,
): Promise<ControllerProcess> {
  const controller = startController(plane, candidate.command, options.logFile);
  using completion = await watchCompletion(plane.client);
  try {
    await createAll(plane.client, [warmUpWorkflow(NAMESPACE, name)]);
    await completion.awaitCompleted(completion.count + 1, options);
    await settledUsage(plane.client);
  } catch (error) {
    await controller.stop();
    throw error;
  }
  return controller;
}

async function createAll(client: KubeClient, workflows: readonly Workflow[]): Promise<void> {
  await forEachConcurrently(workflows, (workflow) => client.create(WORKFLOWS, NAMESPACE, workflow));
}

/** Counts completed workflows. Only their latest state is read, because reading large workflows is expensive. */
async function watchCompletion(client: KubeClient) {
  const stop = new AbortController();
  const phases = new Map<string, string>();
  let told = () => {};
  const over = new Informer<Workflow>(client, WORKFLOWS, {
    namespace: NAMESPACE,
    labelSelector: `${LABEL.completed}=true`,
  });
  over.onChange((_type, { metadata, status }) => {
    phases.set(metadata.name!, `${status?.phase} ${status?.message ?? ""}`.trim());
    told();
  });
  await over.start(stop.signal);
  return {
    /** The number of workflows that were already completed. */
    count: phases.size,
    /** Resolves when `count` workflows are completed. */
    async awaitCompleted(count: number, { limitSeconds, logFile }: MeasureOptions): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      told = () => phases.size >= count && resolve();
      const late = () =>
        reject(
          new Error(`${phases.size} of ${count} workflows were completed after ${limitSeconds} s; see ${logFile}`),
        );
      const timer = setTimeout(late, limitSeconds * 1000);
      told();
      await promise.finally(() => clearTimeout(timer));
      for (const [name, phase] of phases) if (phase !== "Succeeded") throw new Error(`Workflow ${name}: ${phase}`);
    },
    [Symbol.dispose]: () => stop.abort(),
  };
}

/** The counts once nothing has been written for a second. The cleanup of a controller belongs to the load. */
async function settledUsage(client: KubeClient): Promise<ApiUsage> {
  let usage = await readApiUsage(client);
  for (let calm = false; !calm;) {
    await pause(systemClock, 1000);
    const next = await readApiUsage(client);
    calm = Object.keys(usageBetween(usage, next)).length === 0;
    usage = next;
  }
  return usage;
}

function gapsOf(times: readonly PodTimes[]): number[] {
  const inOrder = times.toSorted((a, b) => a.seen - b.seen);
  return inOrder.slice(1).map(({ seen }, index) => seen - (inOrder[index]?.ended ?? NaN));
}
