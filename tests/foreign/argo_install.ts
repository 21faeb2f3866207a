/**
 * An installation of Argo in the form of its manifests: accounts, roles, settings, and the Deployments of controller
 * and server. `ARGO_MANIFESTS` (a folder with Argo's manifests) and `ARGO_HELM_CHART` (a folder with Argo's chart)
 * replace this form by the real one.
 */
import type { KubeObject } from "@tiphys/kube";
import { ELECTION_RULES, rule } from "@tiphys/installation/preflight";
import { parseYaml } from "@tiphys/model/yaml";
import { ARGO_CONTROLLER_RULES, ARGO_SERVER_RULES } from "../../scripts/argo_roles.ts";
import { outputOf } from "../../scripts/command.ts";
import { AGENT_RULES, COLLECTOR_RULES, EXECUTOR_RULES } from "../../scripts/gen_install.ts";
import { binding, inNamespace, NAMESPACE, role, serviceAccount } from "../../scripts/manifest_objects.ts";

const CONTROLLER = "workflow-controller";
const SERVER = "argo-server";

/** The account of the controller in Argo's manifests. */
export const CONTROLLER_ACCOUNT = "argo";

/** The programs that render real manifests. */
export interface Renderers {
  /** The command and first arguments of kubectl. */
  readonly kubectl: readonly string[];
  /** The path of Helm; undefined without Helm. */
  readonly helm: () => Promise<string | undefined>;
}

/** The objects of an installation without its CRDs, in the namespace `argo`. Their images are Argo's. */
export async function argoInstall(renderers: Renderers): Promise<KubeObject[]> {
  const chart = Deno.env.get("ARGO_HELM_CHART");
  const manifests = Deno.env.get("ARGO_MANIFESTS");
  if (chart) return [...podRoles(), ...await chartObjects(chart, renderers)];
  return [...podRoles(), ...manifests ? await manifestObjects(manifests, renderers) : reducedObjects()];
}

/** Roles for pods of workflows, which Argo's manifests leave to the user. */
function podRoles(): KubeObject[] {
  const roles = [
    ["workflow-executor", EXECUTOR_RULES],
    ["workflow-artifact-gc", COLLECTOR_RULES],
    ["workflow-agent", AGENT_RULES],
  ] as const;
  return kubeObjects(roles.flatMap(([name, rules]) => [
    role("ClusterRole", name, rules),
    binding("RoleBinding", "ClusterRole", name, "default"),
  ]));
}

async function chartObjects(chart: string, { helm }: Renderers): Promise<KubeObject[]> {
  const program = await helm();
  if (program === undefined) throw new Error("ARGO_HELM_CHART is set, and Helm is not available");
  const values = [
    "crds.install=false",
    "createAggregateRoles=false",
    `controller.configMap.name=${CONTROLLER}-configmap`,
    `controller.workflowNamespaces={${NAMESPACE}}`,
    "workflow.serviceAccount.name=default",
  ];
  const flags = values.flatMap((value) => ["--set", value]);
  const text = await outputOf([program, "template", "argo", chart, "--namespace", NAMESPACE, ...flags]);
  return objectsIn(text).map(withArgosName);
}

async function manifestObjects(folder: string, { kubectl }: Renderers): Promise<KubeObject[]> {
  return objectsIn(await outputOf([...kubectl, "kustomize", `${folder}/cluster-install-no-crds`]));
}

function objectsIn(yaml: string): KubeObject[] {
  return parseYaml(yaml).flatMap(({ value }) => value ? [value as KubeObject] : []);
}

function reducedObjects(): KubeObject[] {
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `${CONTROLLER}-configmap` } };
  const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: SERVER },
    spec: { selector: { app: SERVER }, ports: [{ name: "web", port: 2746, targetPort: 2746 }] },
  };
  return kubeObjects([
    serviceAccount(CONTROLLER_ACCOUNT),
    role("ClusterRole", "argo-cluster-role", ARGO_CONTROLLER_RULES),
    binding("ClusterRoleBinding", "ClusterRole", "argo-cluster-role", CONTROLLER_ACCOUNT),
    role("Role", "argo-role", [...ELECTION_RULES, rule("", ["secrets"], ["get"])]),
    binding("RoleBinding", "Role", "argo-role", CONTROLLER_ACCOUNT),
    serviceAccount(SERVER),
    role("ClusterRole", "argo-server-cluster-role", ARGO_SERVER_RULES),
    binding("ClusterRoleBinding", "ClusterRole", "argo-server-cluster-role", SERVER),
    configMap,
    service,
    controllerDeployment(),
    serverDeployment(),
  ]);
}

function kubeObjects(objects: Parameters<typeof inNamespace>[0][]): KubeObject[] {
  return objects.map(inNamespace) as unknown as KubeObject[];
}

const CONTAINER_SECURITY = {
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
};

function deployment(name: string, account: string, container: object, volumes: object[] = []) {
  const labels = { app: name };
  const spec = {
    serviceAccountName: account,
    nodeSelector: { "kubernetes.io/os": "linux" },
    securityContext: { runAsNonRoot: true },
    containers: [{ name, securityContext: CONTAINER_SECURITY, ...container }],
    volumes,
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

function controllerDeployment() {
  return deployment(CONTROLLER, CONTROLLER_ACCOUNT, {
    image: "quay.io/argoproj/workflow-controller:latest",
    command: [CONTROLLER],
    args: [],
    env: [{ name: "LEADER_ELECTION_IDENTITY", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
    ports: [{ name: "metrics", containerPort: 9090 }, { containerPort: 6060 }],
    livenessProbe: {
      httpGet: { port: 6060, path: "/healthz" },
      failureThreshold: 3,
      initialDelaySeconds: 90,
      periodSeconds: 60,
      timeoutSeconds: 30,
    },
  });
}

function serverDeployment() {
  return deployment(SERVER, SERVER, {
    image: "quay.io/argoproj/argocli:latest",
    args: ["server"],
    ports: [{ name: "web", containerPort: 2746 }],
    readinessProbe: {
      httpGet: { port: 2746, scheme: "HTTPS", path: "/" },
      initialDelaySeconds: 10,
      periodSeconds: 20,
    },
    volumeMounts: [{ mountPath: "/tmp", name: "tmp" }],
  }, [{ name: "tmp", emptyDir: {} }]);
}

/** Gives a Deployment or Service of a chart the name that it has in Argo's manifests. */
function withArgosName(object: KubeObject): KubeObject {
  if (object.kind !== "Deployment" && object.kind !== "Service") return object;
  const name = object.metadata.name?.endsWith(CONTROLLER) ? CONTROLLER : SERVER;
  return { ...object, metadata: { ...object.metadata, name } };
}
