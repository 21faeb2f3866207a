/** The kubelet: starts a worker for each pod, and reports to the API server. */

import { type Pod, podProblem, readPod } from "@tiphys/model/api";
import { ENV } from "@tiphys/base/constants";
import { classifyError, keyOf, type KubeClient, PODS } from "@tiphys/kube";
import { Informer } from "@tiphys/kube/informers";
import type { KubeletHooks } from "../api/mod.ts";
import { timeText } from "@tiphys/model/status";
import type { AttemptLimits } from "./attempt_limits.ts";
import { adoptNamedAttempts } from "./attempt_folders.ts";
import { ClaimFolders } from "./volumes/claim_folders.ts";
import { apiLookup, type Lookup } from "./volumes/lookup.ts";
import { retryForever } from "./retry_forever.ts";
import {
  confirmDeletion,
  mayHaveRun,
  removeFoldersOfDeletedPods,
  removeLeftovers,
  reportLost,
  reportUnreadable,
} from "./lost_pods.ts";
import { LOOPBACK, PodAddresses } from "./pod_addresses.ts";
import { PodEvents } from "./pod_events.ts";
import { PodWorker, type PodWorld } from "./pod_worker.ts";
import { removeTree } from "../image/remove_tree.ts";
import { ImageError } from "@tiphys/registry/image_error";
import type { ContainerRuntime } from "./runtime/runtime.ts";
import { savedLog } from "./logs/saved_logs.ts";
import { SetupError } from "./setup_error.ts";
import { waitFor } from "./wait_for.ts";

export interface KubeletOptions {
  readonly client: KubeClient;
  /** Contains pods (volumes, logs) and claims. */
  readonly dataDir: string;
  /** A folder used instead of the executor's image: mounted into pods, or run as their image. */
  readonly executor: { readonly image: string; readonly folder: string };
  /** The URL at which pods reach the API server, and its certificate authority if it uses TLS. */
  readonly api: { readonly url: string; readonly caCert?: string | undefined };
  readonly runtime: ContainerRuntime;
  readonly allowHostPath?: boolean;
  /** The failures after which a pod that cannot start fails; undefined to retry without end, as in a cluster. */
  readonly attempts?: AttemptLimits | undefined;
  readonly onError?: (subject: string, error: unknown) => void;
}

export interface Kubelet {
  readonly hooks: KubeletHooks;
  readonly runtime: ContainerRuntime;
  /**
   * Kills all containers and waits until they have ended. Their pods fail with the reason `NodeShutdown`. A pod in
   * which only the executor is running gets two seconds to complete.
   */
  close(): Promise<void>;
}

const NODE_NAME = "local";

/** The time for which a closing kubelet waits for pods that are about to complete, in milliseconds. */
const LAST_PODS_MS = 2000;

/** The folder below `dataDir` with the caches of input artifacts, one for each namespace. */
export function artifactCacheFolder(dataDir: string): string {
  return `${dataDir}/artifact-cache`;
}

/** The folder below `dataDir` with the files of pods. */
export function podsFolder(dataDir: string): string {
  return `${dataDir}/pods`;
}

/** Starts a kubelet. */
export async function startKubelet(options: KubeletOptions): Promise<Kubelet> {
  const { client, dataDir } = options;
  const onError = options.onError ?? ((what, error) => console.error(`kubelet: could not ${what}:`, error));
  const pods = podsFolder(dataDir);
  await Deno.mkdir(pods, { recursive: true, mode: 0o700 });
  const { runtime } = options;
  const lookup = apiLookup(client, options.api.caCert);
  const claims = await ClaimFolders.open({ client, dataDir, rootId: runtime.rootId, onError });
  const events = new PodEvents({ client, nodeName: NODE_NAME, now: () => Date.now(), onError });
  const world: PodWorld = {
    client,
    events,
    runtime,
    lookup,
    node: { nodeName: NODE_NAME, hostIP: LOOPBACK },
    addresses: new PodAddresses(),
    apiEnv: apiEnvironment(options.api.url),
    caCert: options.api.caCert,
    executor: options.executor,
    attempts: options.attempts,
    volumes: volumeWorld(options, lookup, claims),
    now: () => timeText(new Date()),
    onError,
  };
  const workers = new Map<string, PodWorker>();
  /** The UIDs of pods that were reported as unreadable, so that each is reported once. */
  const unreadable = new Set<string>();
  const removed = new Set<Promise<void>>();
  /** The descriptions of reports in flight. */
  const reporting = new Set<string>();
  /** The UIDs of pods whose deletion is being confirmed. */
  const leaving = new Set<string>();
  const stop = new AbortController();
  const informer = new Informer<Pod>(client, PODS, {
    convert: readPod,
    onError: (error) => onError("watch pods", error),
  });

  function acceptPod(pod: Pod): void {
    const uid = pod.metadata.uid ?? "";
    const worker = workers.get(uid);
    if (worker) return worker.update(pod);
    if (pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed" || pod.metadata.deletionTimestamp) {
      if (pod.metadata.deletionTimestamp) confirmIfStopped(pod);
      return;
    }
    if (mayHaveRun(pod, `${pods}/${uid}`)) return reportLostPod(pod);
    const problem = podProblem(pod);
    if (problem !== undefined) return reportUnreadablePod(pod, problem);
    const started = new PodWorker(pod, `${pods}/${uid}`, world);
    workers.set(uid, started);
    started.done.catch((error) => onError(`run pod ${keyOf(pod)}`, error)).finally(() => claims.release(uid));
  }

  /** Confirms the deletion of a pod without running containers, unless a confirmation is in flight. */
  function confirmIfStopped(pod: Pod): void {
    const { uid = "" } = pod.metadata;
    if (leaving.has(uid)) return;
    leaving.add(uid);
    void confirmDeletion(client, pod, stop.signal, onError).finally(() => leaving.delete(uid));
  }

  function reportLostPod(pod: Pod): void {
    sendOnce(`report pod ${keyOf(pod)} as lost`, () => reportLost(client, pod, world.now()));
  }

  function reportUnreadablePod(pod: Pod, message: string): void {
    const { uid = "" } = pod.metadata;
    if (unreadable.has(uid)) return;
    unreadable.add(uid);
    sendOnce(`report pod ${keyOf(pod)} as unreadable`, () => reportUnreadable(client, pod, message));
  }

  /** Sends a report, unless the same one is in flight. */
  function sendOnce(subject: string, send: () => Promise<void>): void {
    if (reporting.has(subject)) return;
    reporting.add(subject);
    const fail = (error: unknown) => onError(subject, error);
    retryForever(send, stop.signal, fail).catch((error) => {
      if (classifyError(error) !== "notFound") fail(error);
    }).finally(() => reporting.delete(subject));
  }

  async function removePod(pod: Pod): Promise<void> {
    const uid = pod.metadata.uid ?? "";
    const worker = workers.get(uid);
    worker?.stop(0);
    await worker?.done;
    workers.delete(uid);
    unreadable.delete(uid);
    await removeTree(`${pods}/${uid}`);
  }

  informer.onChange((type, pod) => {
    if (type !== "deleted") return acceptPod(pod);
    const gone = removePod(pod).catch((error) => onError(`remove pod ${keyOf(pod)}`, error));
    removed.add(gone);
    void gone.finally(() => removed.delete(gone));
  });
  for (const pod of (await client.list<object>(PODS, undefined)).items.map(readPod)) {
    await adoptNamedAttempts(`${pods}/${pod.metadata.uid}`, pod);
  }
  await removeLeftovers(pods);
  await informer.start(stop.signal);
  await removeFoldersOfDeletedPods(pods, informer.list());
  await events.adoptEvents();

  function podOf(namespace: string, name: string): { pod: Pod; worker: PodWorker | undefined } {
    const pod = informer.get(`${namespace}/${name}`);
    if (!pod) throw new Error(`pod "${name}" is not known to the kubelet`);
    return { pod, worker: workers.get(pod.metadata.uid ?? "") };
  }

  return {
    runtime,
    hooks: {
      logs(namespace, name, container, selection) {
        const { pod, worker } = podOf(namespace, name);
        return worker ? worker.logs(container, selection) : savedLog(pod, dataDir, container, selection);
      },
      async exec(namespace, name, container, command, streams) {
        const { worker } = podOf(namespace, name);
        if (!worker) throw new Error(`container "${container}" of pod "${name}" is not running`);
        return await worker.exec(container, command, streams);
      },
    },
    async close() {
      stop.abort();
      await waitForWorkers([...workers.values()].filter(({ isEnding }) => isEnding));
      for (const worker of workers.values()) worker.shutDown();
      await Promise.all([...workers.values()].map((worker) => worker.done));
      await Promise.all(removed);
      await events.close();
      await claims.close();
      await runtime.close();
    },
  };
}

/** Waits until the pods have ended, for a limited time. */
async function waitForWorkers(workers: readonly PodWorker[]): Promise<void> {
  if (workers.length === 0) return;
  const ended = new AbortController();
  void Promise.all(workers.map(({ done }) => done)).then(() => ended.abort());
  await waitFor(LAST_PODS_MS, ended.signal);
}

/** The variables with the address of the API server, as in a cluster. */
function apiEnvironment(url: string): Map<string, string> {
  const { protocol, hostname, port } = new URL(url);
  const scheme = protocol.slice(0, -1);
  const number = port || (scheme === "https" ? "443" : "80");
  return new Map([
    ["KUBERNETES_SERVICE_HOST", hostname],
    ["KUBERNETES_SERVICE_PORT", number],
    ["KUBERNETES_SERVICE_PORT_HTTPS", number],
    ["KUBERNETES_PORT", `tcp://${hostname}:${number}`],
    [ENV.apiScheme, scheme],
  ]);
}

function volumeWorld(options: KubeletOptions, lookup: Lookup, claims: ClaimFolders): PodWorld["volumes"] {
  const { executor, runtime } = options;
  return {
    lookup,
    allowHostPath: options.allowHostPath === true,
    cacheFolder: artifactCacheFolder(options.dataDir),
    rootId: runtime.rootId,
    claimFolder: (namespace, name, pod) => claims.take(namespace, name, pod),
    async imageFolder(reference, pull) {
      if (reference === executor.image) return executor.folder;
      try {
        return await runtime.imageFolder(reference, pull);
      } catch (error) {
        if (!(error instanceof ImageError)) throw error;
        throw new SetupError("ContainerCreating", `${error.reason}: ${error.message}`, { cause: error });
      }
    },
  };
}
