/** One controller beside the embedded API: its CPU time for stretches of workflows, and its memory beside ended ones. */
import type { Pod, Workflow } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { CONFIGMAPS, Informer, type KubeClient, PODS, WORKFLOWS } from "@tiphys/kube";
import { createApiServer, type ServedApi } from "../../../local/api/mod.ts";
import { Scenario } from "../../scenarios/scenario.ts";
import { courseOf } from "../ceiling.ts";
import { CountedPort } from "./counted_port.ts";
import { createDefinitions } from "../definitions.ts";
import { awaitFact } from "../../await_fact.ts";
import { live, setStatus } from "../fake_kubelet.ts";
import { limitsOf, type Load, warmUpWorkflow, workflowsOf } from "../loads.ts";
import { inLanes } from "../lanes.ts";
import { cpuSecondsOf, memoryOf, peakMemoryOf, threadCpuSecondsOf } from "../process_usage.ts";

const NAMESPACE = "argo";
/** The time without a request after which a stretch is over: tidying up afterwards belongs to it. */
const CALM_MILLIS = 1500;
/** The time without work after which V8 has given back what it does not need: it does so some 15 s after the last work. */
const REST_MILLIS = 30_000;

/** The figures of one stretch. */
export interface Stretch {
  readonly size: number;
  /** CPU time of the process, in all its threads, for each workflow. */
  readonly millisEach: number;
  readonly mainMillisEach: number;
  /** Writes by everybody: the load's own one and the three of the kubelet are among them. */
  readonly writesEach: number;
  /** The most memory of the process since it began, MiB. */
  readonly peakMemory: number;
}

/** The circumstances of a measurement. */
export interface AloneOptions {
  readonly podMillis: number;
  /** The file for the profile of a controller that loads the profiler. */
  readonly profile?: string | undefined;
}

/** @throws when the controller ends, or the workflows do not, within ten minutes. */
export async function measureAlone(
  command: string,
  sizes: readonly number[],
  options: AloneOptions,
): Promise<Stretch[]> {
  return await withController(command, options, async ({ client, over, pid }) => {
    const stretches: Stretch[] = [];
    let total = 1;
    for (const size of sizes) {
      const written = await calm(client);
      const before = { all: cpuSecondsOf(pid), main: threadCpuSecondsOf(pid, pid) };
      await makeWorkflows(client, total, size);
      total += size;
      await over(total);
      await calm(client);
      const all = cpuSecondsOf(pid) - before.all;
      const main = threadCpuSecondsOf(pid, pid) - before.main;
      stretches.push({
        size,
        millisEach: 1000 * all / size,
        mainMillisEach: 1000 * main / size,
        writesEach: (await versionOf(client) - written) / size,
        peakMemory: peakMemoryOf(pid),
      });
    }
    return stretches;
  });
}

/** The workflows that a controller starts beside: over, or with a pod that runs and does not end. */
export type Others = "ended" | "running";

/**
 * The memory of a controller that starts beside workflows of one pod and has run one of its own, MiB: at rest, and the most
 * of it; and the time from its start to the end of its own workflow.
 */
export async function measureBeside(command: string, others: Others, count: number, options: AloneOptions) {
  const before = async (client: KubeClient) => {
    const { workflow, pod, now } = oneOf(others);
    const numbers = Array.from({ length: count }, (_, index) => index);
    await inLanes(numbers, async (number) => {
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
    await calm(client);
    const cpuSeconds = cpuSecondsOf(pid);
    const peakMemory = peakMemoryOf(pid);
    await pause(systemClock, REST_MILLIS);
    return { memory: memoryOf(pid), peakMemory, cpuSeconds, firstSeconds };
  }, others === "ended" ? count : 0);
}

/** A workflow of one pod as it was made, that pod, and the workflow as it is now. */
function oneOf(others: Others): { readonly workflow: Workflow; readonly pod: Pod; readonly now: Workflow } {
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

/** The cost of a load to the controller, from when it is made until nothing is written any more. */
export interface LoadCost {
  /** From the first workflow's creation to the last one's end. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** What the controller sent, on the wire. */
  readonly bytesSent: number;
  /** The most memory of the process since it began, MiB. */
  readonly peakMemory: number;
}

/** @throws when the controller ends, or the workflows of the load do not, within ten minutes. */
export async function measureLoad(command: string, load: Load, options: AloneOptions): Promise<LoadCost> {
  return await withController(command, options, async ({ client, over, pid, bytesSent }) => {
    await calm(client);
    const before = { cpuSeconds: cpuSecondsOf(pid), bytesSent: bytesSent() };
    const limits = limitsOf(load, NAMESPACE);
    if (limits) await client.create(CONFIGMAPS, NAMESPACE, limits);
    const workflows = workflowsOf(load, NAMESPACE);
    const began = performance.now();
    await inLanes(workflows, (workflow) => client.create(WORKFLOWS, NAMESPACE, workflow));
    await over(1 + workflows.length);
    const seconds = (performance.now() - began) / 1000;
    await calm(client);
    return {
      seconds,
      cpuSeconds: cpuSecondsOf(pid) - before.cpuSeconds,
      bytesSent: bytesSent() - before.bytesSent,
      peakMemory: peakMemoryOf(pid),
    };
  });
}

/** A controller that runs and has run a workflow. */
interface RunningController {
  readonly client: KubeClient;
  readonly pid: number;
  /** The seconds from its start to the end of its first workflow. */
  readonly firstSeconds: number;
  /** What it has sent until now, on the wire. */
  bytesSent(): number;
  /** Resolves when so many workflows are over. */
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
    throw new Error(`The controller ended by itself:\n${await Deno.readTextFile(log)}`);
  });
  failed.catch(() => {});
  try {
    await startKubelet(client, podMillis, stop.signal);
    const completion = await watchOver(client, stop.signal);
    const over = async (count: number) => {
      await Promise.race([completion.reached(ended + count), failed]);
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
    } catch { /* It has ended. */ }
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

/** Lives the life of each pod as it comes. */
async function startKubelet(client: KubeClient, podMillis: number, signal: AbortSignal): Promise<void> {
  const pods = new Informer<Pod>(client, PODS, { namespace: NAMESPACE });
  pods.onChange((type, pod) => {
    if (type !== "added" || (pod.status?.phase ?? "Pending") !== "Pending") return;
    live(client, pod, podMillis).catch((error) => {
      if (!signal.aborted) console.error(pod.metadata.name, String(error));
    });
  });
  await pods.start(signal);
}

/** Counts the workflows that are over. */
async function watchOver(client: KubeClient, signal: AbortSignal) {
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
    async reached(count: number): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      told = () => names.size >= count && resolve();
      const timer = setTimeout(
        () => reject(new Error(`${names.size} of ${count} workflows were over after ${LIMIT_MILLIS / 1000} s`)),
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
  await inLanes(
    names,
    (name) => client.create(WORKFLOWS, NAMESPACE, { apiVersion, kind, metadata: { name, namespace: NAMESPACE }, spec }),
  );
}

async function versionOf(client: KubeClient): Promise<number> {
  return Number((await client.list(CONFIGMAPS, NAMESPACE)).metadata.resourceVersion);
}

/** The version of the collection when nothing was written for a while. */
async function calm(client: KubeClient): Promise<number> {
  let version = await versionOf(client);
  for (;;) {
    await pause(systemClock, CALM_MILLIS);
    const next = await versionOf(client);
    if (next === version) return version;
    version = next;
  }
}
