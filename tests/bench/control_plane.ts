/** A fresh etcd and kube-apiserver for each measurement, prepared for a controller: nothing of another run is left in it. */
import {
  CONFIGMAPS,
  connectTransport,
  CRON_WORKFLOWS,
  KubeClient,
  NAMESPACES,
  type Resource,
  resourcePath,
  SERVICE_ACCOUNTS,
  sortError,
  WORKFLOW_TASK_RESULTS,
  WORKFLOWS,
} from "@tiphys/kube";
import { API_VERSION } from "@tiphys/base/constants";
import { createDefinitions } from "./definitions.ts";
import { cpuSecondsOf } from "./process_usage.ts";
import { awaitFact } from "../await_fact.ts";
import { clusterAddresses, type ClusterSettings, clusterSettings, networkNamespace } from "../cluster/mod.ts";
import { startApiServer, stopCluster } from "../cluster/mod.ts";

/** The kinds of ours that a measurement makes objects of. */
const CREATED: readonly Resource[] = [CRON_WORKFLOWS, WORKFLOW_TASK_RESULTS, WORKFLOWS];

/** The namespace of the workflows. */
export const NAMESPACE = "argo";

/** A control plane that is up. */
export interface ControlPlane extends AsyncDisposable {
  readonly client: KubeClient;
  readonly kubeconfig: string;
  /** The words in front of a command that is to run in its network: ports there collide with nobody's. */
  readonly inside: readonly string[];
  /** CPU time that etcd and the API server used until now, seconds. */
  cpuSeconds(): number;
}

/** Starts a control plane. */
export async function startControlPlane(): Promise<ControlPlane> {
  const settings = benchSettings();
  await startApiServer(settings);
  const { kubeconfig } = clusterAddresses(settings);
  const client = new KubeClient(await connectTransport({ kubeconfig }));
  await prepare(client);
  return {
    client,
    kubeconfig,
    inside: ["nsenter", `--net=/run/netns/${networkNamespace(settings)}`],
    cpuSeconds: () => daemonPids(settings).reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
    [Symbol.asyncDispose]: () => end(client, settings),
  };
}

/** A cluster beside the one that the environment names: each measurement removes its own. */
export function benchSettings(environment: (name: string) => string | undefined = Deno.env.get): ClusterSettings {
  const { name, directory } = clusterSettings(environment);
  const own: Readonly<Record<string, string>> = {
    TIPHYS_CLUSTER_NAME: `b${name}`.slice(0, 11),
    TIPHYS_CLUSTER_DIR: `${directory}-bench`,
  };
  return clusterSettings((variable) =>
    own[variable] ?? (variable.endsWith("_LINK") ? undefined : environment(variable))
  );
}

/** Ends the control plane of whatever measurement runs, however far it has come. */
export async function stopControlPlane(): Promise<void> {
  await stopCluster(benchSettings());
}

async function end(client: KubeClient, settings: ClusterSettings): Promise<void> {
  client.close();
  await stopCluster(settings);
}

function daemonPids({ directory }: ClusterSettings): number[] {
  return ["etcd", "apiserver"].map((name) => parseInt(Deno.readTextFileSync(`${directory}/run/${name}.pid`)));
}

/** Makes what `kubectl apply` and a controller manager would: definitions, a namespace, its account, the settings. */
async function prepare(client: KubeClient): Promise<void> {
  const plurals = await createDefinitions(client);
  await client.create(NAMESPACES, undefined, { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
  await client.create(SERVICE_ACCOUNTS, NAMESPACE, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "default", namespace: NAMESPACE },
  });
  await client.create(CONFIGMAPS, NAMESPACE, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "workflow-controller-configmap", namespace: NAMESPACE },
    // The values are in braces: the peer puts the key in front and reads both as one line of YAML.
    data: { initlessPod: "{enabled: true}", metricsConfig: "{enabled: false}" },
  });
  // The API server sets a kind up when it is first asked for: half a second that no measurement is to contain.
  for (const plural of plurals) {
    const served = async () => {
      await client.request("GET", `/apis/${API_VERSION}/${plural}?limit=1`);
      return true;
    };
    await awaitFact(`${plural} are served`, () => served().catch(notFoundIsNotYet), { seconds: 30 });
  }
  await Promise.all(CREATED.map((resource) => awaitCreation(client, resource)));
}

/**
 * Asks for an object that is not kept. In the first two seconds of a definition the API server puts off each creation by
 * two seconds, for other API servers may not know the kind yet; when this was answered, that time is over.
 */
async function awaitCreation(client: KubeClient, resource: Resource): Promise<void> {
  try {
    await client.request("POST", resourcePath(resource, NAMESPACE), { query: { dryRun: "All" }, body: {} });
  } catch (error) {
    // An object without a kind is refused, after the wait.
    if (sortError(error) !== "invalid") throw error;
  }
}

function notFoundIsNotYet(error: unknown): boolean {
  if (sortError(error) === "notFound") return false;
  throw error;
}
