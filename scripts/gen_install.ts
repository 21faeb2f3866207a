/**
 * The install manifests: the controller with the rights that it uses and no others, for a whole cluster or for one namespace.
 * What they share is said once; the version of the images is the release's.
 */
import { GROUP } from "../lib/api/mod.ts";
import { stringifyYaml } from "../lib/yaml/mod.ts";
import { VERSION } from "../lib/version.ts";
import { REPORT_POLICY_FILE, reportPolicy } from "./gen_report_policy.ts";

const NAMESPACE = "argo";
const CONTROLLER = "workflow-controller";
const EXECUTOR = "workflow-executor";
const COLLECTOR = "workflow-artifact-gc";
const AGENT = "workflow-agent";
const RBAC = "rbac.authorization.k8s.io";
const PART_OF = { "app.kubernetes.io/part-of": "tiphys" };

/** A rule of a Role, as Kubernetes spells it. */
interface Rule {
  readonly apiGroups: string[];
  readonly resources: string[];
  readonly verbs: string[];
}

/** The rights of the controller in the namespaces whose workflows it runs; each verb has a caller in `controller/`. */
const CONTROLLER_RULES: readonly Rule[] = [
  rule(GROUP, ["workflows"], ["get", "list", "watch", "create", "patch", "delete"]),
  rule(GROUP, ["cronworkflows"], ["list", "watch", "patch"]),
  rule(GROUP, ["cronworkflows/finalizers"], ["update"]),
  rule(GROUP, ["workflows/finalizers"], ["update"]),
  rule(GROUP, ["workflowtemplates"], ["list", "watch"]),
  rule(GROUP, ["workflowtaskresults"], ["list", "watch", "deletecollection"]),
  rule(GROUP, ["workflowartifactgctasks"], ["get", "list", "create", "delete"]),
  rule(GROUP, ["workflowtasksets"], ["get", "list", "watch", "create", "patch", "delete"]),
  rule(GROUP, ["workflowtasksets/status"], ["patch"]),
  rule("", ["pods"], ["get", "list", "watch", "create", "patch", "delete"]),
  rule("", ["pods/exec"], ["get", "create"]),
  rule("", ["configmaps"], ["get", "list", "watch", "create", "patch"]),
  rule("", ["persistentvolumeclaims"], ["get", "create", "patch", "delete"]),
  rule("", ["events"], ["create", "patch"]),
  rule("", ["namespaces"], ["get", "list", "watch"]),
  rule("policy", ["poddisruptionbudgets"], ["get", "create", "delete"]),
  rule("", ["serviceaccounts"], ["get", "list", "watch"]),
];

/** The rights of the controller in its own namespace, for the election of the one that is at work. */
const ELECTION_RULES: readonly Rule[] = [rule("coordination.k8s.io", ["leases"], ["get", "create", "update"])];

/** The rights that only a controller of the whole cluster has. */
const CLUSTER_RULES: readonly Rule[] = [
  rule(GROUP, ["clusterworkflowtemplates"], ["list", "watch"]),
  rule("", ["nodes"], ["list"]),
];

/** The rights of a workflow's pods: they report their results. */
const EXECUTOR_RULES: readonly Rule[] = [rule(GROUP, ["workflowtaskresults"], ["create", "patch"])];

/** The rights of a pod that deletes artifacts: it reads its tasks, and reports what came of them. */
const COLLECTOR_RULES: readonly Rule[] = [
  rule(GROUP, ["workflowartifactgctasks"], ["list"]),
  rule(GROUP, ["workflowartifactgctasks/status"], ["patch"]),
];

/** The rights of an agent: it reads the tasks of its workflow, and reports what came of them. */
const AGENT_RULES: readonly Rule[] = [
  rule(GROUP, ["workflowtasksets"], ["list", "watch"]),
  rule(GROUP, ["workflowtasksets/status"], ["patch"]),
];

/** The install manifests by their file names under `manifests/`. */
export function installManifests(): Map<string, string> {
  const cluster = [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } },
    ...[
      serviceAccount(),
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
      deployment([]),
    ].map(inNamespace),
  ];
  const namespaced = [
    serviceAccount(),
    role("Role", CONTROLLER, [...CONTROLLER_RULES, ...ELECTION_RULES]),
    binding("RoleBinding", "Role", CONTROLLER, CONTROLLER),
    role("Role", EXECUTOR, EXECUTOR_RULES),
    binding("RoleBinding", "Role", EXECUTOR, "default"),
    role("Role", COLLECTOR, COLLECTOR_RULES),
    binding("RoleBinding", "Role", COLLECTOR, "default"),
    role("Role", AGENT, AGENT_RULES),
    binding("RoleBinding", "Role", AGENT, "default"),
    configMap(),
    deployment(["--namespaced"]),
  ];
  return new Map([
    [
      "install.yaml",
      manifest(`For the whole cluster: kubectl apply -f manifests/crds -f manifests/install.yaml`, cluster),
    ],
    [
      "namespace-install.yaml",
      manifest(
        `For one namespace: kubectl apply -f manifests/crds && kubectl -n NAME apply -f manifests/namespace-install.yaml`,
        namespaced,
      ),
    ],
    [
      REPORT_POLICY_FILE,
      manifest(`For the whole cluster, beside either of the others: kubectl apply -f manifests/${REPORT_POLICY_FILE}`, [
        ...reportPolicy(),
      ]),
    ],
  ]);
}

function manifest(how: string, objects: readonly object[]): string {
  const header = `# Generated by scripts/gen_install.ts. Do not edit; run \`deno task gen\`.\n# ${how}\n`;
  return header + objects.map((object) => stringifyYaml(object)).join("---\n");
}

function rule(group: string, resources: string[], verbs: string[]): Rule {
  return { apiGroups: [group], resources, verbs };
}

function serviceAccount() {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: CONTROLLER, labels: PART_OF } };
}

function role(kind: "Role" | "ClusterRole", name: string, rules: readonly Rule[]) {
  return { apiVersion: `${RBAC}/v1`, kind, metadata: { name, labels: PART_OF }, rules };
}

function binding(
  kind: "RoleBinding" | "ClusterRoleBinding",
  roleKind: "Role" | "ClusterRole",
  name: string,
  account: string,
) {
  return {
    apiVersion: `${RBAC}/v1`,
    kind,
    metadata: { name, labels: PART_OF },
    roleRef: { apiGroup: RBAC, kind: roleKind, name },
    subjects: [{ kind: "ServiceAccount", name: account }],
  };
}

/** Empty: every setting has a default. It is there so that it can be edited, and so that the controller watches it from the start. */
function configMap() {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `${CONTROLLER}-configmap`, labels: PART_OF } };
}

function deployment(args: readonly string[]) {
  const labels = { app: CONTROLLER };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: CONTROLLER, labels: PART_OF },
    spec: {
      replicas: 1,
      // Two controllers at once would both create pods: the old one ends before the new one starts.
      strategy: { type: "Recreate" },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: { ...labels, ...PART_OF } },
        spec: {
          serviceAccountName: CONTROLLER,
          nodeSelector: { "kubernetes.io/os": "linux" },
          securityContext: { runAsNonRoot: true, runAsUser: 8737, seccompProfile: { type: "RuntimeDefault" } },
          containers: [controllerContainer(args)],
          volumes: [{ name: "tmp", emptyDir: {} }],
        },
      },
    },
  };
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
      { name: "DENO_DIR", value: "/tmp/deno" },
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
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
  };
}

/** Puts an object, and the accounts that it names, into the namespace of the cluster's install. */
function inNamespace<T extends { kind: string; metadata: object; subjects?: object[] }>(object: T) {
  const metadata = object.kind.startsWith("Cluster") ? object.metadata : { ...object.metadata, namespace: NAMESPACE };
  const subjects = object.subjects?.map((subject) => ({ ...subject, namespace: NAMESPACE }));
  return { ...object, metadata, ...(subjects && { subjects }) };
}
