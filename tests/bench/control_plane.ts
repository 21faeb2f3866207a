/** Starts a new etcd and kube-apiserver for each measurement, without data of previous ones. */
import {
  classifyError,
  CONFIGMAPS,
  CRON_WORKFLOWS,
  KubeClient,
  NAMESPACES,
  type Resource,
  SERVICE_ACCOUNTS,
  WORKFLOW_TASK_RESULTS,
  WORKFLOWS,
} from "@tiphys/kube";
import { connectTransport } from "@tiphys/kube/connections";
import { resourcePath } from "@tiphys/kube/resources";
import { API_VERSION } from "@tiphys/base/constants";
import { createDefinitions } from "./definitions.ts";
import { cpuSecondsOf } from "./process_usage.ts";
import { awaitFact } from "../await_fact.ts";
import { clusterAddresses, type ClusterSettings, clusterSettings, networkNamespace } from "../cluster/mod.ts";
import { startApiServer, stopCluster } from "../cluster/mod.ts";

/** The kinds of our objects that a measurement creates. */
const CREATED: readonly Resource[] = [CRON_WORKFLOWS, WORKFLOW_TASK_RESULTS, WORKFLOWS];

/** The namespace of the workflows. */
export const NAMESPACE = "argo";

/** A running control plane. */
export interface ControlPlane extends AsyncDisposable {
  readonly client: KubeClient;
  readonly kubeconfig: string;
  /** Prefix of a command that runs in the control plane's network, where ports do not conflict with other processes. */
  readonly inside: readonly string[];
  /** CPU time of etcd and the API server so far, in seconds. */
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

/**
 * Settings of a cluster that is separate from the one of the environment, because each measurement deletes its cluster.
 */
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

/** Stops the control plane of the current measurement, at any stage. */
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

/**
 * Creates what `kubectl apply` and a controller manager would: CRDs, a namespace, its service account, and the
 * settings.
 */
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
    // The values are in braces, because Argo concatenates key and value and parses both as one line of YAML.
    data: { initlessPod: "{enabled: true}", metricsConfig: "{enabled: false}" },
  });
  // The API server initializes a kind at its first request, which takes half a second. Done before the measurement.
  for (const plural of plurals) {
    const served = async () => {
      await client.request("GET", `/apis/${API_VERSION}/${plural}?limit=1`);
      return true;
    };
    await awaitFact(`${plural} are served`, () => served().catch(falseIfNotFound), { seconds: 30 });
  }
  await Promise.all(CREATED.map((resource) => awaitCreation(client, resource)));
}

/**
 * Creates an object with a dry run. In the first two seconds after a CRD is established, the API server delays each
 * creation by two seconds, because other API servers may not know the kind yet. When the request is answered, that time
 * has passed.
 */
async function awaitCreation(client: KubeClient, resource: Resource): Promise<void> {
  try {
    await client.request("POST", resourcePath(resource, NAMESPACE), { query: { dryRun: "All" }, body: {} });
  } catch (error) {
    // The invalid object is rejected after the delay.
    if (classifyError(error) !== "invalid") throw error;
  }
}

function falseIfNotFound(error: unknown): boolean {
  if (classifyError(error) === "notFound") return false;
  throw error;
}
