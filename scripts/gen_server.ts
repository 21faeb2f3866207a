/**
 * The manifests of the server: its service account with the required permissions, a Deployment, a Service, and roles
 * for users.
 */
import { PATH } from "@tiphys/base/constants";
import type { Rule } from "@tiphys/installation/preflight";
import { VERSION } from "@tiphys/base/version";
import {
  binding,
  deployment,
  type KubernetesManifest,
  PART_OF,
  RESTRICTED_CONTAINER,
  role,
  serviceAccount,
} from "./manifest_objects.ts";
import {
  aggregatedRules,
  rulesOfRoutes,
  SERVER_CLUSTER_RULES,
  SERVER_EVENT_RULES,
  SERVER_OWN_RULES,
  SERVER_RULES,
  SERVER_SSO_RULES,
} from "./server_roles.ts";

/** The name of the server's objects. */
export const SERVER = "argo-server";
/** The role of users who may use all routes. */
export const USER = "argo-server-user";
export const SERVER_PORT = 2746;

/** The volume for uploads until they are stored: the rest of the root file system is read-only. */
const TEMPORARY = { name: "tmp", emptyDir: {} };

/** Returns the server's objects, for the whole cluster and for one namespace. */
export function serverObjects(): {
  readonly cluster: readonly KubernetesManifest[];
  readonly namespaced: readonly KubernetesManifest[];
} {
  const cluster = [
    serviceAccount(SERVER),
    role("ClusterRole", SERVER, [...SERVER_RULES, ...SERVER_CLUSTER_RULES]),
    binding("ClusterRoleBinding", "ClusterRole", SERVER, SERVER),
    role("Role", SERVER, SERVER_OWN_RULES),
    binding("RoleBinding", "Role", SERVER, SERVER),
    role("ClusterRole", USER, rulesOfRoutes()),
    ...aggregateRoles(),
    service(),
    deployment(SERVER, container([]), { volumes: [TEMPORARY] }),
  ];
  const namespaced = [
    serviceAccount(SERVER),
    role("Role", SERVER, [...SERVER_RULES, ...SERVER_OWN_RULES]),
    binding("RoleBinding", "Role", SERVER, SERVER),
    role("Role", USER, rulesOfRoutes().filter(({ resources }) => !isOfCluster(resources))),
    service(),
    deployment(SERVER, container(["--namespaced"]), { volumes: [TEMPORARY] }),
  ];
  return { cluster, namespaced };
}

/** Returns the additional objects for single sign-on and for events, in the namespace of the install. */
export function serverComponents(): {
  readonly sso: readonly KubernetesManifest[];
  readonly events: readonly KubernetesManifest[];
} {
  const added = (name: string, rules: readonly Rule[]) => [
    role("Role", name, rules),
    binding("RoleBinding", "Role", name, SERVER),
  ];
  return { sso: added(`${SERVER}-sso`, SERVER_SSO_RULES), events: added(`${SERVER}-events`, SERVER_EVENT_RULES) };
}

function isOfCluster(resources: readonly string[]): boolean {
  return resources.some((resource) => resource.startsWith("clusterworkflowtemplates"));
}

function aggregateRoles(): KubernetesManifest[] {
  return [...aggregatedRules()].map(([name, rules]) =>
    role("ClusterRole", `argo-aggregate-to-${name}`, rules, {
      [`rbac.authorization.k8s.io/aggregate-to-${name}`]: "true",
    })
  );
}

function service(): KubernetesManifest {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: SERVER, labels: PART_OF },
    spec: { selector: { app: SERVER }, ports: [{ name: "web", port: SERVER_PORT, targetPort: "web" }] },
  };
}

function container(args: readonly string[]) {
  const probe = { httpGet: { path: "/healthz", port: "web", scheme: "HTTPS" } };
  return {
    name: SERVER,
    image: `docker.io/tiphys/${SERVER}:v${VERSION}`,
    args: ["server", "--auth-mode=client", ...args],
    ports: [{ name: "web", containerPort: SERVER_PORT }],
    livenessProbe: { ...probe, initialDelaySeconds: 60, periodSeconds: 60, failureThreshold: 3 },
    readinessProbe: { httpGet: { ...probe.httpGet, path: "/readyz" }, periodSeconds: 5 },
    resources: { requests: { cpu: "100m", memory: "128Mi" } },
    securityContext: RESTRICTED_CONTAINER,
    volumeMounts: [{ name: TEMPORARY.name, mountPath: PATH.temporary }],
  };
}

/**
 * The network policies of controller and server: allowed incoming connections, and ports of outgoing ones. A network
 * policy cannot refer to the API server, so its ports are allowed instead.
 */
export function networkPolicies(): readonly KubernetesManifest[] {
  const dns = { ports: [{ protocol: "UDP", port: 53 }, { protocol: "TCP", port: 53 }] };
  const outside = { ports: [443, 6443, POSTGRES, MYSQL, ...OTLP].map((port) => ({ protocol: "TCP", port })) };
  return [
    policy("workflow-controller", [9090, 6060], [dns, outside]),
    policy(SERVER, [SERVER_PORT], [dns, outside]),
  ];
}

const POSTGRES = 5432;
const MYSQL = 3306;
/** The OTLP ports of gRPC and HTTP. */
const OTLP = [4317, 4318];

function policy(name: string, ports: readonly number[], egress: readonly object[]): KubernetesManifest {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name, labels: PART_OF },
    spec: {
      podSelector: { matchLabels: { app: name } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ ports: ports.map((port) => ({ protocol: "TCP", port })) }],
      egress,
    },
  };
}
