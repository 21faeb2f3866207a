/** One controller beside the embedded API: its CPU time for stretches of workflows, and its memory beside ended ones. */
import type { Pod, Workflow } from "../../../lib/api/mod.ts";
import { pause, systemClock } from "../../../lib/clock/mod.ts";
import { LABEL } from "../../../lib/constants.ts";
import { CONFIGMAPS, Informer, type KubeClient, PODS, WORKFLOWS } from "../../../lib/kube/mod.ts";
import { createApiServer, type Served } from "../../../local/api/mod.ts";
import { courseOf } from "../ceiling.ts";
import { createDefinitions } from "../definitions.ts";
import { awaitFact } from "../../await_fact.ts";
import { live, setStatus } from "../fake_kubelet.ts";
import { warmUpWorkflow } from "../loads.ts";
import { inLanes } from "../lanes.ts";
import { cpuSecondsOf, memoryOf, peakMemoryOf, threadCpuSecondsOf } from "../process_usage.ts";

const NAMESPACE = "argo";
/** The time without a request after which a stretch is over: tidying up afterwards belongs to it. */
const CALM_MILLIS = 1500;

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

/** The memory of a controller that starts beside workflows that ended, each with its pod, and has run one of its own; MiB. */
export async function measureBeside(command: string, count: number, options: AloneOptions) {
  const before = async (client: KubeClient) => {
    const { workflow, waves: [[pod] = []], end } = courseOf(warmUpWorkflow(NAMESPACE));
    const numbers = Array.from({ length: count }, (_, index) => index);
    await inLanes(numbers, async (number) => {
      const name = `ended-${number}`;
      const { metadata: { labels }, status } = end;
      const { uid } =
        (await client.create<Workflow>(WORKFLOWS, NAMESPACE, { ...workflow, metadata: { name, labels }, status }))
          .metadata;
      const made = JSON.parse(JSON.stringify(pod).replaceAll(workflow.metadata.name!, name)) as Pod;
      const metadata = {
        ...made.metadata,
        finalizers: [],
        labels: { ...made.metadata.labels, [LABEL.completed]: "true" },
        ownerReferences: made.metadata.ownerReferences?.map((owner) => ({ ...owner, uid: uid! })),
      };
      await setStatus(client, await client.create<Pod>(PODS, NAMESPACE, { ...made, metadata }), "Succeeded");
    });
  };
  return await withController(command, { ...options, before }, async ({ client, pid }) => {
    await calm(client);
    if (Deno.env.get("WAIT")) {
      for (let i = 0; i < Number(Deno.env.get("WAIT")); i += 5) {
        await pause(systemClock, 5000);
        console.log(i, memoryOf(pid));
      }
    }
    return { memory: memoryOf(pid), peakMemory: peakMemoryOf(pid), cpuSeconds: cpuSecondsOf(pid) };
  }, count);
}

/** A controller that runs and has run a workflow. */
interface RunningController {
  readonly client: KubeClient;
  readonly pid: number;
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
  const kubeconfig = await writeKubeconfig(folder, served);
  const [program = "", ...args] = command.split(/\s+/).filter(Boolean);
  const log = `${folder}/controller.log`;
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
    const result = await use({ client, pid: child.pid, over });
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
    await served.close();
    api.close();
    if (Deno.env.get("KEEP_LOG")) await Deno.copyFile(log, Deno.env.get("KEEP_LOG")!);
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

async function writeKubeconfig(folder: string, { url, token, caCert }: Served): Promise<string> {
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
