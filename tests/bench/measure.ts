/** A measurement: a fresh control plane, a fake kubelet, one controller, one load. */
import type { Workflow } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { LABEL } from "@tiphys/base/constants";
import { CONFIGMAPS, Informer, type KubeClient, WORKFLOWS } from "@tiphys/kube";
import { type ApiUsage, readApiUsage, usageBetween } from "./api_usage.ts";
import { CEILING, courseOf, CourseRunner } from "./ceiling.ts";
import { type ControlPlane, NAMESPACE, startControlPlane } from "./control_plane.ts";
import type { PodTimes } from "./fake_kubelet.ts";
import { inLanes } from "./lanes.ts";
import { limitsOf, type Load, loadName, warmUpWorkflow, workflowsOf } from "./loads.ts";
import { type ControllerProcess, startController, startKubelet } from "./processes.ts";

/** A controller to measure: the beginning of its command line, under a name. */
export interface Candidate {
  readonly name: string;
  readonly command: string;
}

/** The figures of one load under one candidate. */
export interface Measurement {
  readonly load: string;
  readonly candidate: string;
  /** The time from the first workflow's creation to the last one's end; a drain begins with the controller's start. */
  readonly seconds: number;
  readonly podsPerSecond: number;
  /** The times between the end of a pod and the creation of the next, milliseconds; of a chain only. */
  readonly gaps?: readonly number[];
  readonly cpuSeconds?: number;
  /** The cost of the load for etcd and the API server together. */
  readonly planeCpuSeconds?: number;
  /** MiB. */
  readonly peakMemory?: number;
  /** MiB that it holds when it rests beside what is kept, and without that. */
  readonly memory?: { readonly beside: number; readonly without: number };
  /** Milliseconds, the 99th percentile; of a controller on Deno only. */
  readonly eventLoopDelay?: number;
  readonly usage?: ApiUsage;
}

/** The circumstances of a measurement. */
export interface MeasureOptions {
  readonly podMillis: number;
  /** The time after which a load that is not done counts as failed, seconds. */
  readonly limitSeconds: number;
  readonly logFile: string;
}

/**
 * Measures a load.
 * @throws when a workflow does not succeed, or not in time.
 */
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
  await completion.reached(workflows.length + already, options);
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

/** The cost of a load that is written by nobody's controller: no controller can be faster than that. */
export async function measureCeiling(load: Load, options: MeasureOptions): Promise<Measurement> {
  const courses = workflowsOf(load, NAMESPACE).map(courseOf);
  await using plane = await startControlPlane();
  await using kubelet = await startKubelet(plane, options.podMillis);
  const workflows = courses.map(({ workflow }) => workflow);
  // As for a controller: what it would find when it starts is there.
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

/** Starts a controller and lets it run one workflow, so that it is known to be there. */
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
    await completion.reached(completion.count + 1, options);
    await settledUsage(plane.client);
  } catch (error) {
    await controller.stop();
    throw error;
  }
  return controller;
}

async function createAll(client: KubeClient, workflows: readonly Workflow[]): Promise<void> {
  await inLanes(workflows, (workflow) => client.create(WORKFLOWS, NAMESPACE, workflow));
}

/** Counts the workflows that are over; only their last state is looked at, for large ones are expensive to look at. */
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
    /** The number of those that were over before. */
    count: phases.size,
    /** Resolves when so many are over. */
    async reached(count: number, { limitSeconds, logFile }: MeasureOptions): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      told = () => phases.size >= count && resolve();
      const late = () =>
        reject(new Error(`${phases.size} of ${count} workflows were over after ${limitSeconds} s; see ${logFile}`));
      const timer = setTimeout(late, limitSeconds * 1000);
      told();
      await promise.finally(() => clearTimeout(timer));
      for (const [name, phase] of phases) if (phase !== "Succeeded") throw new Error(`Workflow ${name}: ${phase}`);
    },
    [Symbol.dispose]: () => stop.abort(),
  };
}

/** The counts when nothing was written for a second: what a controller tidies up afterwards belongs to the load. */
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
