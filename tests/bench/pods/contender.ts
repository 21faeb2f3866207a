/** A controller to measure: one process on this machine, with its own namespace and pod layout. */
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { awaitFact } from "../../await_fact.ts";
import type { ClusterUnderTest } from "../../install/mod.ts";
import { EXECUTOR_IMAGE } from "./settings.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;

/**
 * A pod layout to measure. `single-container` is the initless layout without a supervisor, which the command does not
 * need.
 */
export type ContenderLayout = "initless" | "single-container" | "legacy";

/** The command and environment of a contender, with its name and layout. */
export interface ContenderOptions {
  /** The name in the table, from which the namespace is derived. */
  readonly name: string;
  readonly layout: ContenderLayout;
  /** The command line that starts the controller. Flags for cluster, namespace and executor image are added. */
  readonly command: readonly string[];
  readonly executorImage: string;
  readonly environment?: Record<string, string>;
}

/** A running controller. Disposing it stops it and deletes its namespace. */
export interface Contender extends AsyncDisposable {
  readonly name: string;
  readonly namespace: string;
  /** Labels that assign workflows to this contender. */
  readonly labels: Record<string, string>;
}

/** Our controller, from the sources in this repository. */
export function ourContender(layout: ContenderLayout, healthPort: number): ContenderOptions {
  return {
    name: `tiphys-${layout}`,
    layout,
    command: [Deno.execPath(), "run", "-A", "--no-check", `${ROOT}controller/main.ts`, `--health-port=${healthPort}`],
    executorImage: EXECUTOR_IMAGE,
  };
}

/** The controller of another implementation, started by its command line. */
export function otherContender(
  layout: "initless" | "legacy",
  command: readonly string[],
  executorImage: string,
): ContenderOptions {
  return {
    name: `peer-${layout}`,
    layout,
    command,
    executorImage,
    environment: { LEADER_ELECTION_DISABLE: "true" },
  };
}

/**
 * Creates the namespace with the rights that pods need, and starts the controller. Its log is written to
 * `build/bench/`.
 */
export async function startContender(cluster: ClusterUnderTest, options: ContenderOptions): Promise<Contender> {
  const namespace = `bench-${options.name}`;
  await cluster.kubectl.apply(namespace, ...objectsOf(namespace, options.layout));
  await Deno.mkdir(`${ROOT}build/bench`, { recursive: true });
  const log = await Deno.open(`${ROOT}build/bench/${options.name}.log`, { create: true, write: true, truncate: true });
  const [program, ...words] = options.command;
  const flags = [
    `--kubeconfig=${cluster.kubeconfig}`,
    "--namespaced",
    `--namespace=${namespace}`,
    `--executor-image=${options.executorImage}`,
    "--executor-image-pull-policy=IfNotPresent",
  ];
  const child = new Deno.Command(program ?? "", {
    args: [...words, ...flags],
    env: { ARGO_NAMESPACE: namespace, ...options.environment },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const logged = child.stderr.pipeTo(log.writable);
  return {
    name: options.name,
    namespace,
    labels: { [LABEL.instanceId]: namespace },
    async [Symbol.asyncDispose]() {
      const { kubectl } = cluster;
      // Deleted while the controller runs, which must remove the finalizers.
      await kubectl.output("-n", namespace, "delete", "workflows", "--all", "--wait=false");
      const empty = async () => (await kubectl.json<{ items: unknown[] }>("-n", namespace, "get", "pods")).items.length;
      await awaitFact(`the pods of ${namespace} are deleted`, async () => await empty() === 0, { seconds: 120 })
        .catch((error) => console.error(String(error)));
      child.kill("SIGTERM");
      await child.status;
      await logged.catch(() => {});
      await kubectl.output("delete", "namespace", namespace, "--wait=false");
    },
  };
}

const SETTINGS: Readonly<Record<ContenderLayout, string>> = {
  initless: "{enabled: true}",
  "single-container": "{enabled: true, singleContainer: true}",
  legacy: "{enabled: false}",
};

/** Each setting is one line in braces, which both controllers can parse. */
function objectsOf(namespace: string, layout: ContenderLayout): object[] {
  const [group] = API_VERSION.split("/");
  const rbac = "rbac.authorization.k8s.io";
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "workflow-controller-configmap" },
      data: {
        initlessPod: SETTINGS[layout],
        instanceID: namespace,
        metricsConfig: "{enabled: false}",
      },
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "Role",
      metadata: { name: "executor" },
      rules: [{ apiGroups: [group], resources: ["workflowtaskresults"], verbs: ["create", "patch"] }],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata: { name: "executor" },
      roleRef: { apiGroup: rbac, kind: "Role", name: "executor" },
      subjects: [{ kind: "ServiceAccount", name: "default" }],
    },
  ];
}
