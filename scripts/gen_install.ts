/**
 * The install manifests: the controller with only the permissions that it uses, for a whole cluster or for one
 * namespace. Objects that both share are written once; the version of the images is the release's.
 */
import { GROUP } from "@tiphys/model/api";
import { CLUSTER_RULES, CONTROLLER_RULES, ELECTION_RULES, type Rule, rule } from "@tiphys/installation/preflight";
import { VERSION } from "@tiphys/base/version";
import { serverObjects } from "./gen_server.ts";
import { REPORT_POLICY_FILE, reportPolicy } from "./gen_report_policy.ts";
import {
  binding,
  deployment,
  inNamespace,
  type KubernetesManifest,
  manifest,
  NAMESPACE,
  PART_OF,
  RESTRICTED_CONTAINER,
  role,
  serviceAccount,
} from "./manifest_objects.ts";

export const CONTROLLER = "workflow-controller";
const EXECUTOR = "workflow-executor";
const COLLECTOR = "workflow-artifact-gc";
const AGENT = "workflow-agent";
/** Two controllers at once would both create pods: the old one ends before the new one starts. */
const ONE_AT_A_TIME = { type: "Recreate" };

/** The permissions of a workflow's pods: they report their results. */
export const EXECUTOR_RULES: readonly Rule[] = [rule(GROUP, ["workflowtaskresults"], ["create", "patch"])];

/** The permissions of a pod that deletes artifacts: it reads its tasks and reports their results. */
export const COLLECTOR_RULES: readonly Rule[] = [
  rule(GROUP, ["workflowartifactgctasks"], ["list"]),
  rule(GROUP, ["workflowartifactgctasks/status"], ["patch"]),
];

/** The permissions of an agent: it reads the tasks of its workflow and reports their results. */
export const AGENT_RULES: readonly Rule[] = [
  rule(GROUP, ["workflowtasksets"], ["list", "watch"]),
  rule(GROUP, ["workflowtasksets/status"], ["patch"]),
];

/** The objects of the controller: for the whole cluster, in the namespace {@link NAMESPACE}, or for one namespace. */
export function controllerObjects(): {
  readonly cluster: readonly KubernetesManifest[];
  readonly namespaced: readonly KubernetesManifest[];
} {
  const cluster = [
    ...[
      serviceAccount(CONTROLLER),
      role("ClusterRole", CONTROLLER, [...CONTROLLER_RULES, ...CLUSTER_RULES]),
      binding("ClusterRoleBinding", "ClusterRole", CONTROLLER, CONTROLLER),
      role("Role", CONTROLLER, ELECTION_RULES),
      binding("RoleBinding", "Role", CONTROLLER, CONTROLLER),
      role("ClusterRole", EXECUTOR, EXECUTOR_RULES),
      binding("RoleBinding", "ClusterRole", EXECUTOR, "default"),
      role("ClusterRole", COLLECTOR, COLLECTOR_RULES),
      binding("RoleBinding", "ClusterRole", COLLECTOR, "default"),
      role("ClusterRole", AGENT, AGENT_RULES),
      binding("RoleBinding", "ClusterRole", AGENT, "default"),
      configMap(),
      deployment(CONTROLLER, controllerContainer([]), { strategy: ONE_AT_A_TIME }),
    ].map(inNamespace),
  ];
  const namespaced = [
    serviceAccount(CONTROLLER),
    role("Role", CONTROLLER, [...CONTROLLER_RULES, ...ELECTION_RULES]),
    binding("RoleBinding", "Role", CONTROLLER, CONTROLLER),
    role("Role", EXECUTOR, EXECUTOR_RULES),
    binding("RoleBinding", "Role", EXECUTOR, "default"),
    role("Role", COLLECTOR, COLLECTOR_RULES),
    binding("RoleBinding", "Role", COLLECTOR, "default"),
    role("Role", AGENT, AGENT_RULES),
    binding("RoleBinding", "Role", AGENT, "default"),
    configMap(),
    deployment(CONTROLLER, controllerContainer(["--namespaced"]), { strategy: ONE_AT_A_TIME }),
  ];
  return { cluster, namespaced };
}

/** The install manifests by their file names under `manifests/`. */
export function installManifests(): Map<string, string> {
  const { cluster, namespaced } = controllerObjects();
  const server = serverObjects();
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } };
  return new Map([
    [
      "install.yaml",
      manifest(`For the whole cluster: kubectl apply -f manifests/crds -f manifests/install.yaml`, [
        namespace,
        ...cluster,
      ]),
    ],
    [
      "namespace-install.yaml",
      manifest(
        `For one namespace: kubectl apply -f manifests/crds && kubectl -n NAME apply -f manifests/namespace-install.yaml`,
        namespaced,
      ),
    ],
    [
      "server.yaml",
      manifest("For the whole cluster, after install.yaml: kubectl apply -f manifests/server.yaml", [
        ...server.cluster.map(inNamespace),
      ]),
    ],
    [
      "namespace-server.yaml",
      manifest("For one namespace: kubectl -n NAME apply -f manifests/namespace-server.yaml", server.namespaced),
    ],
    [
      REPORT_POLICY_FILE,
      manifest(`For the whole cluster, beside either of the others: kubectl apply -f manifests/${REPORT_POLICY_FILE}`, [
        ...reportPolicy(),
      ]),
    ],
  ]);
}

/**
 * Empty, because every setting has a default. It exists so that it can be edited, and so that the controller watches it
 * from the start.
 */
function configMap(): KubernetesManifest {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `${CONTROLLER}-configmap`, labels: PART_OF } };
}

function controllerContainer(args: readonly string[]) {
  return {
    name: CONTROLLER,
    image: `docker.io/tiphys/${CONTROLLER}:v${VERSION}`,
    ...(args.length > 0 && { args }),
    env: [
      { name: "ARGO_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
      { name: "LEADER_ELECTION_IDENTITY", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      { name: "ARGO_EXECUTOR_IMAGE", value: `docker.io/tiphys/argoexec:v${VERSION}` },
      {
        name: "TIPHYS_SEAL_KEY",
        valueFrom: { secretKeyRef: { name: `${CONTROLLER}-seal`, key: "key", optional: true } },
      },
    ],
    ports: [{ name: "metrics", containerPort: 9090 }, { name: "health", containerPort: 6060 }],
    livenessProbe: {
      httpGet: { path: "/healthz", port: "health" },
      initialDelaySeconds: 60,
      periodSeconds: 60,
      failureThreshold: 3,
    },
    readinessProbe: { httpGet: { path: "/healthz", port: "health" }, periodSeconds: 2 },
    resources: { requests: { cpu: "100m", memory: "128Mi" } },
    securityContext: RESTRICTED_CONTAINER,
  };
}
