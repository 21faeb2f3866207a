/** The embedded cluster: the API and the kubelet in this process, over one data folder. */

import type { KubeClient } from "../lib/kube/mod.ts";
import { announce, type Announcement } from "./announcement.ts";
import { openStore } from "./data_folder.ts";
import { EMBEDDED_EXECUTOR_IMAGE, executorFolder } from "./executor_folder.ts";
import { imageStoreOptions } from "./image/machine_settings.ts";
import { kubeconfigFile, writeKubeconfig } from "./kubeconfig.ts";
import { chooseRuntime, podsFolder, type RuntimeName, startKubelet } from "./kubelet/mod.ts";
import { removeTree } from "./kubelet/runtime/remove_tree.ts";

export interface EmbeddedClusterOptions {
  /** Holds everything that lasts: objects, logs, claims. */
  readonly dataDir: string;
  /** What can be made again: the bundled executor, images. */
  readonly cacheDir: string;
  /** The back end that runs containers; the best that this machine allows when absent. */
  readonly runtime?: RuntimeName;
  /** Told what the user should know about how containers run: which back end, images that are pulled or cannot be had. */
  readonly onNotice?: (text: string) => void;
  readonly allowHostPath?: boolean;
  /** Over TLS, as kubectl wants it; a kubeconfig lies in the data folder then. */
  readonly tls?: boolean;
  readonly port?: number;
  readonly onError?: (what: string, error: unknown) => void;
}

/** An embedded cluster that runs. */
export interface EmbeddedCluster extends Announcement {
  readonly client: KubeClient;
  /** The image that a controller must name as the executor's. */
  readonly executorImage: string;
  /** The back end that runs containers. */
  readonly runtime: string;
  /** Ends every container, then the API; nothing is left running. */
  close(): Promise<void>;
}

/** Starts one. Throws RuntimeUnavailable when this machine runs no containers, Error when another process has the data. */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const { dataDir, cacheDir } = options;
  await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 });
  const [api, folder] = await Promise.all([openStore(dataDir), executorFolder(cacheDir)]);
  const client = api.client();
  const served = await api.serve(options.port ?? 0, { tls: options.tls ?? false }).catch((error) => {
    api.close();
    throw error;
  });
  try {
    await Deno.mkdir(podsFolder(dataDir), { recursive: true, mode: 0o700 });
    const runtime = await chooseRuntime({
      runtime: options.runtime ?? "auto",
      folder: podsFolder(dataDir),
      images: await imageStoreOptions(cacheDir),
      folders: new Map([[EMBEDDED_EXECUTOR_IMAGE, folder]]),
      onNotice: options.onNotice ?? (() => {}),
    });
    const kubelet = await startKubelet({
      client,
      dataDir,
      executor: { image: EMBEDDED_EXECUTOR_IMAGE, folder },
      api: served,
      runtime,
      ...(options.allowHostPath !== undefined && { allowHostPath: options.allowHostPath }),
      ...(options.onError && { onError: options.onError }),
    });
    api.useKubelet(kubelet.hooks);
    const announcement = { url: served.url, token: served.token, caCert: served.caCert };
    const announced = await announce(dataDir, announcement);
    if (served.caCert !== undefined) await writeKubeconfig(dataDir, announcement);
    return {
      ...announcement,
      client,
      executorImage: EMBEDDED_EXECUTOR_IMAGE,
      runtime: runtime.name,
      async close() {
        await announced.withdraw();
        await removeTree(kubeconfigFile(dataDir));
        await kubelet.close();
        await served.close();
        api.close();
      },
    };
  } catch (error) {
    await served.close();
    api.close();
    throw error;
  }
}
