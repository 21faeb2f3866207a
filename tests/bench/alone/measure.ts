/**
 * Measures one controller on the embedded API: its CPU time for batches of workflows, and its memory with other
 * workflows present.
 */
import type { Pod, Workflow } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { CONFIGMAPS, type KubeClient, PODS, WORKFLOWS } from "@tiphys/kube";
import { Informer } from "@tiphys/kube/informers";
import { createApiServer, type ServedApi } from "../../../local/api/mod.ts";
import { Scenario } from "../../scenarios/scenario.ts";
import { courseOf } from "../ceiling.ts";
import { CountedPort } from "./counted_port.ts";
import { createDefinitions } from "../definitions.ts";
import { awaitFact } from "../../await_fact.ts";
import { setStatus, simulatePod } from "../fake_kubelet.ts";
import { limitsOf, type Load, warmUpWorkflow, workflowsOf } from "../loads.ts";
import { forEachConcurrently } from "../lanes.ts";
import { cpuSecondsOf, memoryOf, peakMemoryOf, threadCpuSecondsOf } from "../process_usage.ts";

const NAMESPACE = "argo";
/** A batch ends after this time without requests, so that cleanup is included. */
const IDLE_MILLIS = 1500;
/** Idle time before memory is measured. V8 returns unused memory about 15 s after the last work. */
const REST_MILLIS = 30_000;

/** The measurements of one batch. */
export interface Batch {
  readonly size: number;
  /** CPU time of the process per workflow, of all threads. */
  readonly millisEach: number;
  readonly mainMillisEach: number;
  /** Writes per workflow of all clients, including one by the load and three by the kubelet. */
  readonly writesEach: number;
  /** Peak memory of the process, in MiB. */
  readonly peakMemory: number;
}

/** The options of a measurement. */
export interface AloneOptions {
  readonly podMillis: number;
  /** Path of the profile to write, for a controller that loads the profiler. */
  readonly profile?: string | undefined;
}

/**
 * Measures batches of workflows. @throws {Error} when the controller exits, or the workflows do not complete within ten
 * minutes.
 */
export async function measureAlone(
  command: string,
  sizes: readonly number[],
  options: AloneOptions,
): Promise<Batch[]> {
  return await withController(command, options, async ({ client, over, pid }) => {
    const batches: Batch[] = [];
    let total = 1;
    for (const size of sizes) {
      const written = await awaitIdle(client);
      const before = { all: cpuSecondsOf(pid), main: threadCpuSecondsOf(pid, pid) };
      await makeWorkflows(client, total, size);
      total += size;
      await over(total);
      await awaitIdle(client);
      const all = cpuSecondsOf(pid) - before.all;
      const main = threadCpuSecondsOf(pid, pid) - before.main;
      batches.push({
        size,
        millisEach: 1000 * all / size,
        mainMillisEach: 1000 * main / size,
        writesEach: (await versionOf(client) - written) / size,
        peakMemory: peakMemoryOf(pid),
      });
    }
    return batches;
  });
}

/** The state of the workflows that exist when a controller starts: completed, or with a pod that keeps running. */
export type Others = "ended" | "running";

/**
 * Measures a controller that starts with existing workflows and then runs one workflow: its memory in MiB, idle and at
 * its peak, and the time from its start to the end of its workflow.
 */
export async function measureWithOthers(command: string, others: Others, count: number, options: AloneOptions) {
  const before = async (client: KubeClient) => {
    const { workflow, pod, now } = simulateOne(others);
    const numbers = Array.from({ length: count }, (_, index) => index);
    await forEachConcurrently(numbers, async (number) => {
      const name = `other-${number}`;
      const { metadata: { labels, annotations }, status } = JSON.parse(
        JSON.stringify(now).replaceAll(workflow.metadata.name!, name),
      ) as Workflow;
      const { uid } = (await client.create<Workflow>(WORKFLOWS, NAMESPACE, {
        ...workflow,
        metadata: { name, labels, annotations },
        status,
      }))
        .metadata;
      const made = JSON.parse(JSON.stringify(pod).replaceAll(workflow.metadata.name!, name)) as Pod;
      const isOver = others === "ended";
      const metadata = {
        ...made.metadata,
        ...(isOver && { finalizers: [], labels: { ...made.metadata.labels, [LABEL.completed]: "true" } }),
        ownerReferences: made.metadata.ownerReferences?.map((owner) => ({ ...owner, uid: uid! })),
      };
      const stored = await client.create<Pod>(PODS, NAMESPACE, { ...made, metadata });
      await setStatus(client, stored, isOver ? "Succeeded" : "Running");
    });
  };
  return await withController(command, { ...options, before }, async ({ client, pid, firstSeconds }) => {
    await awaitIdle(client);
    const cpuSeconds = cpuSecondsOf(pid);
    const peakMemory = peakMemoryOf(pid);
    await pause(systemClock, REST_MILLIS);
    return { memory: memoryOf(pid), peakMemory, cpuSeconds, firstSeconds };
  }, others === "ended" ? count : 0);
}

/** Simulates a workflow of one pod. Returns the workflow as created, its pod, and the current workflow. */
function simulateOne(others: Others): { readonly workflow: Workflow; readonly pod: Pod; readonly now: Workflow } {
  if (others === "ended") {
    const { workflow, waves: [[pod] = []], end } = courseOf(warmUpWorkflow(NAMESPACE));
    return { workflow, pod: pod!, now: end };
  }
  const workflow = warmUpWorkflow(NAMESPACE);
  const world = new Scenario();
  world.workflow = {
    ...workflow,
    metadata: { ...workflow.metadata, uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z" },
  };
  world.pass(undefined);
  const [{ status: _, metadata: { uid: _uid, ...metadata }, ...pod } = {} as Pod] = world.pods.values();
  world.setPod([metadata.annotations![ANNOTATION.nodeName]!, "Running"]);
  world.pass(undefined);
  return { workflow, pod: { ...pod, metadata } as Pod, now: world.workflow };
}

/** The cost of a load for the controller, from the creation of the load until nothing more is written. */
export interface LoadCost {
  /** Time from the creation of the first workflow to the end of the last one. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The bytes that the controller sent, including TLS. */
  readonly bytesSent: number;
  /** Peak memory of the process, in MiB. */
  readonly peakMemory: number;
}

/** Measures a load. @throws {Error} when the controller exits, or the workflows do not complete within ten minutes. */
export async function measureLoad(command: string, load: Load, options: AloneOptions): Promise<LoadCost> {
  return await withController(command, options, async ({ client, over, pid, bytesSent }) => {
    await awaitIdle(client);
    const before = { cpuSeconds: cpuSecondsOf(pid), bytesSent: bytesSent() };
    const limits = limitsOf(load, NAMESPACE);
    if (limits) await client.create(CONFIGMAPS, NAMESPACE, limits);
    const workflows = workflowsOf(load, NAMESPACE);
    const began = performance.now();
    await forEachConcurrently(workflows, (workflow) => client.create(WORKFLOWS, NAMESPACE, workflow));
    await over(1 + workflows.length);
    const seconds = (performance.now() - began) / 1000;
    await awaitIdle(client);
    return {
      seconds,
      cpuSeconds: cpuSecondsOf(pid) - before.cpuSeconds,
      bytesSent: bytesSent() - before.bytesSent,
      peakMemory: peakMemoryOf(pid),
    };
  });
}

/** A running controller that has completed its first workflow. */
interface RunningController {
  readonly client: KubeClient;
  readonly pid: number;
  /** Seconds from its start to the end of its first workflow. */
  readonly firstSeconds: number;
  /** The bytes that it has sent so far, including TLS. */
  bytesSent(): number;
  /** Resolves when `count` workflows are completed. */
  over(count: number): Promise<void>;
}

async function withController<T>(
  command: string,
  { podMillis, profile, before }: AloneOptions & { readonly before?: (client: KubeClient) => Promise<void> },
  use: (controller: RunningController) => Promise<T>,
  ended = 0,
): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "bench-alone-" });
  const api = createApiServer({ storePath: ":memory:" });
  const served = await api.serve(0, { tls: true });
  const stop = new AbortController();
  const client = api.client();
  await prepare(client);
  await before?.(client);
  const counted = new CountedPort(Number(new URL(served.url).port));
  const kubeconfig = await writeKubeconfig(folder, { ...served, url: `https://127.0.0.1:${counted.port}` });
  const [program = "", ...args] = command.split(/\s+/).filter(Boolean);
  const log = `${folder}/controller.log`;
  const began = performance.now();
  const child = new Deno.Command("sh", {
    args: ["-c", 'log=$1; shift; exec "$@" >"$log" 2>&1', "sh", log, program, ...args, ...ownFlags(kubeconfig)],
    env: {
      ARGO_NAMESPACE: NAMESPACE,
      LEADER_ELECTION_DISABLE: "true",
      ...(profile && { CPU_PROFILE_FILE: profile }),
    },
    stdin: "null",
  }).spawn();
  const failed = child.status.then(async () => {
    throw new Error(`The controller exited unexpectedly:\n${await Deno.readTextFile(log)}`);
  });
  failed.catch(() => {});
  try {
    await startKubelet(client, podMillis, stop.signal);
    const completion = await watchCompletion(client, stop.signal);
    const over = async (count: number) => {
      await Promise.race([completion.awaitCount(ended + count), failed]);
    };
    await client.create(WORKFLOWS, NAMESPACE, warmUpWorkflow(NAMESPACE));
    await over(1);
    const firstSeconds = (performance.now() - began) / 1000;
    const result = await use({ client, pid: child.pid, over, firstSeconds, bytesSent: () => counted.bytesSent });
    if (profile) {
      child.kill("SIGUSR2");
      const written = () => Deno.stat(profile).then(({ size }) => size > 0);
      await awaitFact("the profile is written", written, { seconds: 60 });
    }
    return result;
  } finally {
    stop.abort();
    try {
      child.kill("SIGTERM");
    } catch { /* The process has already exited. */ }
    await child.status;
    await counted[Symbol.asyncDispose]();
    await served.close();
    api.close();
    await Deno.remove(folder, { recursive: true });
  }
}

function ownFlags(kubeconfig: string): string[] {
  return [
    "--kubeconfig",
    kubeconfig,
    "--namespace",
    NAMESPACE,
    "--health-port",
    "0",
    "--executor-image",
    "localhost/argoexec:bench",
  ];
}

async function prepare(client: KubeClient): Promise<void> {
  await createDefinitions(client);
  await client.create(CONFIGMAPS, NAMESPACE, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "workflow-controller-configmap", namespace: NAMESPACE },
    data: { initlessPod: "{enabled: true}", metricsConfig: "{enabled: false}" },
  });
}

async function writeKubeconfig(folder: string, { url, token, caCert }: ServedApi): Promise<string> {
  const named = (name: string, what: object) => [{ name, ...what }];
  const cluster = {
    server: url,
    "certificate-authority-data": new TextEncoder().encode(caCert).toBase64(),
  };
  const path = `${folder}/kubeconfig`;
  const config = {
    "current-context": "alone",
    contexts: named("alone", { context: { cluster: "alone", user: "alone" } }),
    clusters: named("alone", { cluster }),
    users: named("alone", { user: { token } }),
  };
  await Deno.writeTextFile(path, JSON.stringify(config));
  return path;
}

/** Simulates the life of each new pod. */
async function startKubelet(client: KubeClient, podMillis: number, signal: AbortSignal): Promise<void> {
  const pods = new Informer<Pod>(client, PODS, { namespace: NAMESPACE });
  pods.onChange((type, pod) => {
    if (type !== "added" || (pod.status?.phase ?? "Pending") !== "Pending") return;
    simulatePod(client, pod, podMillis).catch((error) => {
      if (!signal.aborted) console.error(pod.metadata.name, String(error));
    });
  });
  await pods.start(signal);
}

/** Counts completed workflows. */
async function watchCompletion(client: KubeClient, signal: AbortSignal) {
  const names = new Set<string>();
  let told = () => {};
  const over = new Informer<Workflow>(client, WORKFLOWS, {
    namespace: NAMESPACE,
    labelSelector: `${LABEL.completed}=true`,
  });
  over.onChange((_type, { metadata }) => {
    names.add(metadata.name!);
    told();
  });
  await over.start(signal);
  return {
    async awaitCount(count: number): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      told = () => names.size >= count && resolve();
      const timer = setTimeout(
        () => reject(new Error(`${names.size} of ${count} workflows were completed after ${LIMIT_MILLIS / 1000} s`)),
        LIMIT_MILLIS,
      );
      told();
      await promise.finally(() => clearTimeout(timer));
    },
  };
}

const LIMIT_MILLIS = 600_000;

async function makeWorkflows(client: KubeClient, from: number, size: number): Promise<void> {
  const { spec, apiVersion, kind } = warmUpWorkflow(NAMESPACE);
  const names = Array.from({ length: size }, (_, index) => `one-${from + index}`);
  await forEachConcurrently(
    names,
    (name) => client.create(WORKFLOWS, NAMESPACE, { apiVersion, kind, metadata: { name, namespace: NAMESPACE }, spec }),
  );
}

async function versionOf(client: KubeClient): Promise<number> {
  return Number((await client.list(CONFIGMAPS, NAMESPACE)).metadata.resourceVersion);
}

/** Waits until nothing has been written for a while. Returns the resource version of the collection. */
async function awaitIdle(client: KubeClient): Promise<number> {
  let version = await versionOf(client);
  for (;;) {
    await pause(systemClock, IDLE_MILLIS);
    const next = await versionOf(client);
    if (next === version) return version;
    version = next;
  }
}
