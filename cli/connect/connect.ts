/** Connects to a cluster: an embedded one of this machine, the cluster of this pod, or one of a kubeconfig. */
import { PATH } from "@tiphys/base/constants";
import { pause, systemClock } from "@tiphys/base/clock";
import { findRunning } from "../../local/announcement.ts";
import { httpTransport, KubeClient } from "@tiphys/kube";
import {
  connectKubeconfig,
  hasKubeconfig,
  inClusterNamespace,
  inClusterTransport,
  isInCluster,
  kubeconfigAuthorization,
  timedTransport,
} from "@tiphys/kube/connections";
import { secretValue } from "@tiphys/kube/stored_settings";
import type { OffloadedNodes } from "@tiphys/model/nodes";
import { ALLOW_ALL, openNet } from "@tiphys/base/net";
import { configMapLimits, type LimitStorage, SyncLimits } from "@tiphys/storage/sync_limits";
import { ClusterService } from "@tiphys/service";
import { overNet, ServerArchive, serverLimits, ServerService, serverVersion } from "@tiphys/service/server";
import { StoredArchive } from "@tiphys/service/stored";
import { logDeletionHook } from "@tiphys/service/log_removal";
import { EmbeddedArchive, type ReadSecret } from "./embedded_archive.ts";
import { EmbeddedLimits } from "./embedded_locks.ts";
import { defaultDataDir } from "./data_dir.ts";
import type { Connection, ConnectTarget } from "../world.ts";

/** The default namespace. Secrets in the settings of an embedded cluster are also read from it. */
export const DEFAULT_NAMESPACE = "default";

/**
 * Connects to a cluster. As in kubectl, an existing kubeconfig takes precedence over the cluster of this pod. Without
 * either, and without KUBECONFIG, it connects to the embedded cluster.
 * @throws when the cluster is not found, with the location that was checked.
 */
export async function connect(where: ConnectTarget): Promise<Connection> {
  const { namespace } = where;
  if (where.server) return await connectServer(where, namespace);
  if (where.dataDir !== undefined) return await connectEmbedded(where.dataDir, namespace ?? DEFAULT_NAMESPACE);
  const isNamed = where.kubeconfig !== undefined || where.context !== undefined || where.actAs !== undefined ||
    where.choice !== undefined || await hasKubeconfig();
  if (!isNamed && isInCluster()) {
    const client = new KubeClient(timedTransport(inClusterTransport(), where.requestMillis));
    return {
      ...servicesOf(client, where),
      authorization: async () => `Bearer ${(await Deno.readTextFile(`${PATH.serviceAccount}/token`)).trim()}`,
      namespace: namespace ?? await inClusterNamespace(),
      close: () => client.close(),
    };
  }
  if (!isNamed && !Deno.env.get("KUBECONFIG")) {
    return await connectEmbedded(defaultDataDir((name) => Deno.env.get(name)), namespace ?? DEFAULT_NAMESPACE);
  }
  const connection = await connectKubeconfig(where);
  const client = new KubeClient(timedTransport(connection.transport, where.requestMillis));
  return {
    ...servicesOf(client, where),
    authorization: () => kubeconfigAuthorization(where),
    namespace: namespace ?? connection.namespace ?? DEFAULT_NAMESPACE,
    close: () => client.close(),
  };
}

/** Connects to an Argo server. The default namespace is still that of the kubeconfig, if there is one. */
async function connectServer(
  { server, kubeconfig, context, requestMillis }: ConnectTarget,
  namespace: string | undefined,
): Promise<Connection> {
  if (!server) throw new TypeError("expected a server");
  const net = openNet({ env: (name) => Deno.env.get(name) });
  const named = kubeconfig !== undefined || context !== undefined || await hasKubeconfig();
  const own = namespace === undefined && named
    ? await connectKubeconfig({ kubeconfig, context }).then((connected) => connected.namespace, () => undefined)
    : undefined;
  const send = overNet(net, { ...server, requestMillis });
  const limits = serverLimits(send);
  return {
    service: new ServerService(send),
    archive: new ServerArchive(send),
    syncLimits: new SyncLimits({ CONFIGMAP: limits, DATABASE: limits }),
    authorization: () => Promise.resolve(server.authorization),
    serverVersion: () => serverVersion(send),
    namespace: namespace ?? own ?? DEFAULT_NAMESPACE,
    close: () => net.close(),
  };
}

function servicesOf(
  client: KubeClient,
  { databaseLimits, offloaded, instanceId }: Pick<ConnectTarget, "instanceId"> & {
    readonly databaseLimits?: LimitStorage;
    readonly offloaded?: OffloadedNodes;
  } = {},
): Pick<Connection, "syncLimits" | "preflight" | "takeover"> & { readonly service: ClusterService } {
  const syncLimits = new SyncLimits({
    CONFIGMAP: configMapLimits(client),
    ...(databaseLimits ? { DATABASE: databaseLimits } : {}),
  });
  return {
    service: new ClusterService(client, undefined, { offloaded, instanceId, reach: ALLOW_ALL }),
    syncLimits,
    async preflight(options) {
      const { preflight } = await import("@tiphys/installation/preflight");
      return await preflight(client, options);
    },
    async takeover() {
      const { takeoverOf } = await import("@tiphys/installation/takeover");
      return takeoverOf(client);
    },
  };
}

/** Returns a reader of the Secrets that the settings of an embedded cluster refer to. */
export function secretsOf(client: KubeClient): ReadSecret {
  return (name, key) => secretValue(client, { namespace: DEFAULT_NAMESPACE, name, key, setting: "persistence" });
}

function archiveOver(archive: EmbeddedArchive, client: KubeClient): StoredArchive {
  return new StoredArchive({ open: () => archive.open(), client, now: () => new Date() });
}

const BUSY_MILLIS = 5000;
const PAUSE_MILLIS = 100;

/**
 * Connects to the process that runs the cluster. Without such a process, it opens the stored objects, and no workflow
 * makes progress. A process that is starting or stopping locks the store but does not listen, so this retries for a
 * while.
 */
async function connectEmbedded(dataDir: string, namespace: string): Promise<Connection> {
  for (const since = Date.now();;) {
    try {
      return await connectRunning(dataDir, namespace) ?? await openObjects(dataDir, namespace);
    } catch (error) {
      if (Date.now() - since > BUSY_MILLIS) throw error;
    }
    await pause(systemClock, PAUSE_MILLIS);
  }
}

async function openObjects(dataDir: string, namespace: string): Promise<Connection> {
  const [{ openStore, serveArtifacts }, { savedLogs }] = await Promise.all([
    import("../../local/mod.ts"),
    import("../../local/kubelet/logs/saved_logs.ts"),
  ]);
  const store = await openStore(dataDir);
  const client = store.client();
  store.useKubelet(savedLogs(client, dataDir));
  const served = () => serveArtifacts(store, { dataDir });
  const archive = new EmbeddedArchive(dataDir, secretsOf(client), logDeletionHook(client, served));
  const limits = new EmbeddedLimits(dataDir, secretsOf(client));
  return {
    ...servicesOf(client, { databaseLimits: limits, offloaded: archive.nodes }),
    archive: archiveOver(archive, client),
    namespace,
    idle: dataDir,
    serveArtifacts: served,
    async close() {
      await Promise.all([archive.close(), limits.close()]);
      store.close();
    },
  };
}

/** Connects to the process that runs an embedded cluster; undefined without such a process. */
export async function connectRunning(
  dataDir: string,
  namespace: string,
): Promise<Connection & { readonly service: ClusterService; readonly pid: number } | undefined> {
  const running = await findRunning(dataDir);
  if (!running) return undefined;
  const { url, token, caCert, artifactRepository, pid } = running;
  const credentials = { headers: { authorization: `Bearer ${token}` }, tls: caCert ? { caCerts: [caCert] } : {} };
  const client = new KubeClient(httpTransport({ server: url, credentials: () => Promise.resolve(credentials) }));
  const authorization = () => Promise.resolve(credentials.headers.authorization);
  const removal = logDeletionHook(client, () => Promise.resolve({ repository: artifactRepository }));
  const archive = new EmbeddedArchive(dataDir, secretsOf(client), removal);
  const limits = new EmbeddedLimits(dataDir, secretsOf(client));
  return {
    ...servicesOf(client, { databaseLimits: limits, offloaded: archive.nodes }),
    archive: archiveOver(archive, client),
    authorization,
    namespace,
    pid,
    artifactRepository,
    async close() {
      await Promise.all([archive.close(), limits.close()]);
      client.close();
    },
  };
}
