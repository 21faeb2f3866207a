/** The embedded cluster: the API and the kubelet in this process, over one data folder. */

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
  chooseRuntime,
  podsFolder,
  type RuntimeName,
  type StandInPolicy,
  startKubelet,
} from "./kubelet/mod.ts";
import { ownFolder } from "./own_folder.ts";
import { removeTree } from "./image/remove_tree.ts";

export interface EmbeddedClusterOptions {
  /** Holds everything that lasts: objects, logs, claims. */
  readonly dataDir: string;
  /** The folder for what can be made again: the bundled executor, images. */
  readonly cacheDir: string;
  /** The back end that runs containers; the best that this machine allows when absent. */
  readonly runtime?: RuntimeName;
  /** The images that a stand-in may replace where no registry can be reached; the base images when absent. */
  readonly standIn?: StandInPolicy;
  /** Receives what the user should know about containers: their back end, images that are pulled or cannot be had. */
  readonly onNotice?: (text: string) => void;
  readonly allowHostPath?: boolean;
  /** Bytes that artifacts may have in the embedded store; 0: there is none. */
  readonly artifactBytes?: number;
  /** The place of artifacts that name none; the embedded store when absent. */
  readonly artifactRepository?: ArtifactRepository | undefined;
  /** Over TLS, as kubectl wants it; a kubeconfig lies in the data folder then. */
  readonly tls?: boolean;
  readonly port?: number;
  readonly onError?: (what: string, error: unknown) => void;
}

/** An embedded cluster that runs. */
export interface EmbeddedCluster extends Announcement {
  readonly client: KubeClient;
  /** A way in for other clients, without a network between. */
  readonly transport: Transport;
  /** The image that a controller must name as the executor's. */
  readonly executorImage: string;
  /** The back end that runs containers. */
  readonly runtime: string;
  /** The place of artifacts that name none; undefined without any. */
  readonly artifactRepository: ArtifactRepository | undefined;
  /** The folder in which pods of each namespace may have a cache of their input artifacts. */
  readonly artifactCacheFolder: string;
  /** Ends every container, then the API; nothing is left running. */
  close(): Promise<void>;
}

/**
 * Starts an embedded cluster.
 * @throws {RuntimeUnavailable} when this machine runs no containers, Error when another process has the data.
 */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const { dataDir, cacheDir } = options;
  const { onNotice = () => {} } = options;
  await ownFolder(cacheDir, onNotice);
  // What was opened is closed in the opposite order, also when something after it cannot be.
  await using opened = new AsyncDisposableStack();
  const [executor, api] = await bothOpened(
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
 * What both promises bring, to be closed with all else that was opened.
 * @throws what either is refused with; the other one is closed too then.
 */
async function bothOpened<A extends Disposable, B extends Disposable>(
  opened: AsyncDisposableStack,
  first: Promise<A>,
  second: Promise<B>,
): Promise<[A, B]> {
  const outcomes = await Promise.allSettled([first, second]);
  for (const outcome of outcomes) if (outcome.status === "fulfilled") opened.use(outcome.value);
  return await Promise.all([first, second]);
}
