/** The embedded cluster: an API server and a kubelet in this process that share a data folder. */

import type { ArtifactRepository } from "@tiphys/model/api";
import type { KubeClient, Transport } from "@tiphys/kube";
import { announce, type Announcement } from "./announcement.ts";
import { serveArtifacts } from "./embedded_artifacts.ts";
import { openStore } from "./data_folder.ts";
import { EMBEDDED_EXECUTOR_IMAGE, useExecutor } from "./executor_folder.ts";
import { imageStoreOptions } from "./image/machine_settings.ts";
import { kubeconfigFile, writeKubeconfig } from "./kubeconfig.ts";
import {
  artifactCacheFolder,
  type AttemptLimits,
  chooseRuntime,
  podsFolder,
  type RuntimeName,
  type StandInPolicy,
  startKubelet,
} from "./kubelet/mod.ts";
import { createPrivateFolder } from "./own_folder.ts";
import { removeTree } from "./image/remove_tree.ts";

/** Options of an embedded cluster. */
export interface EmbeddedClusterOptions {
  /** Folder of persistent data: objects, logs, claims. */
  readonly dataDir: string;
  /** Folder of caches: the bundled executor, images. */
  readonly cacheDir: string;
  /** The container runtime; by default, the best one that this machine supports. */
  readonly runtime?: RuntimeName;
  /** The images that a stand-in may replace if no registry can be reached; base images by default. */
  readonly standIn?: StandInPolicy;
  /** Receives notices for the user about containers: their runtime, and image pulls. */
  readonly onNotice?: (text: string) => void;
  readonly allowHostPath?: boolean;
  /** The failures after which a pod that cannot start fails; undefined to retry without end, as in a cluster. */
  readonly attempts?: AttemptLimits | undefined;
  /** Maximum total size of artifacts in the embedded store, in bytes; 0 disables the store. */
  readonly artifactBytes?: number;
  /** The default artifact repository; the embedded store when absent. */
  readonly artifactRepository?: ArtifactRepository | undefined;
  /** Whether the API server uses TLS, which kubectl requires. With TLS, a kubeconfig is written to the data folder. */
  readonly tls?: boolean;
  readonly port?: number;
  readonly onError?: (subject: string, error: unknown) => void;
}

/** A running embedded cluster. */
export interface EmbeddedCluster extends Announcement {
  readonly client: KubeClient;
  /** A transport for other clients in this process, without a network connection. */
  readonly transport: Transport;
  /** The executor image that the controller must configure. */
  readonly executorImage: string;
  /** The container runtime. */
  readonly runtime: string;
  /** The default artifact repository; undefined if the embedded store is disabled. */
  readonly artifactRepository: ArtifactRepository | undefined;
  /** The folder in which each namespace has a cache of input artifacts. */
  readonly artifactCacheFolder: string;
  /** Stops all containers, then the API server. */
  close(): Promise<void>;
}

/**
 * Starts an embedded cluster.
 * @throws {RuntimeUnavailable} if this machine cannot run containers, Error if another process uses the data folder.
 */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const { dataDir, cacheDir } = options;
  const { onNotice = () => {} } = options;
  await createPrivateFolder(cacheDir, onNotice);
  // Resources are closed in reverse order, also if a later one cannot be opened.
  await using opened = new AsyncDisposableStack();
  const [executor, api] = await awaitBoth(
    opened,
    useExecutor(cacheDir, { onNotice }),
    openStore(dataDir, onNotice).then((api) => ({ ...api, [Symbol.dispose]: () => api.close() })),
  );
  const client = api.client();
  const served = await api.serve(options.port ?? 0, { tls: options.tls ?? false });
  opened.defer(() => served.close());
  const artifacts = options.artifactBytes === 0
    ? undefined
    : opened.use(await serveArtifacts(api, { ...options, onNotice }));
  await Deno.mkdir(podsFolder(dataDir), { recursive: true, mode: 0o700 });
  const runtime = await chooseRuntime({
    runtime: options.runtime ?? "auto",
    folder: podsFolder(dataDir),
    images: await imageStoreOptions(cacheDir),
    folders: new Map([[EMBEDDED_EXECUTOR_IMAGE, executor.folder]]),
    standIn: options.standIn,
    onNotice,
  });
  opened.defer(() => runtime.close());
  const kubelet = await startKubelet({
    client,
    dataDir,
    executor: { image: EMBEDDED_EXECUTOR_IMAGE, folder: executor.folder },
    api: served,
    runtime,
    attempts: options.attempts,
    ...(options.allowHostPath !== undefined && { allowHostPath: options.allowHostPath }),
    ...(options.onError && { onError: options.onError }),
  });
  opened.defer(() => kubelet.close());
  api.useKubelet(kubelet.hooks);
  const artifactRepository = options.artifactRepository ?? artifacts?.repository;
  const announcement = { url: served.url, token: served.token, caCert: served.caCert, artifactRepository };
  opened.defer(() => removeTree(kubeconfigFile(dataDir)));
  const announced = await announce(dataDir, announcement);
  opened.defer(() => announced.withdraw());
  if (served.caCert !== undefined) await writeKubeconfig(dataDir, announcement);
  const all = opened.move();
  return {
    ...announcement,
    client,
    transport: api.transport(),
    executorImage: EMBEDDED_EXECUTOR_IMAGE,
    runtime: runtime.name,
    artifactRepository,
    artifactCacheFolder: artifactCacheFolder(dataDir),
    close: () => all.disposeAsync(),
  };
}

/**
 * Awaits two resources, and adds them to the stack of resources to close, also if one of the promises rejects.
 * @throws the rejection of either promise.
 */
async function awaitBoth<A extends Disposable, B extends Disposable>(
  opened: AsyncDisposableStack,
  first: Promise<A>,
  second: Promise<B>,
): Promise<[A, B]> {
  const outcomes = await Promise.allSettled([first, second]);
  for (const outcome of outcomes) if (outcome.status === "fulfilled") opened.use(outcome.value);
  return await Promise.all([first, second]);
}
