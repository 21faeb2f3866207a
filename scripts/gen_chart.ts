/**
 * Generates files of the Helm chart in `manifests/helm/tiphys`: the values with their schema, with the names of
 * argo-helm, and the roles. The other templates are maintained manually.
 */
import { stringifyYaml } from "@tiphys/model/yaml";
import { CLUSTER_RULES, CONTROLLER_RULES, ELECTION_RULES, type Rule } from "@tiphys/installation/preflight";
import { VERSION } from "@tiphys/base/version";
import { ARGO_HELM_VALUES_NOT_HERE } from "./argo_helm_values.ts";
import { AGENT_RULES, COLLECTOR_RULES, EXECUTOR_RULES } from "./gen_install.ts";
import { generatedFrom, table } from "./reference/markdown.ts";
import { RESTRICTED_CONTAINER, RESTRICTED_POD } from "./manifest_objects.ts";
import {
  aggregatedRules,
  rulesOfRoutes,
  SERVER_CLUSTER_RULES,
  SERVER_EVENT_RULES,
  SERVER_RULES,
} from "./server_roles.ts";
import { isObject } from "@tiphys/base/fields_of";

const FOLDER = "helm/tiphys";

/** A value with arbitrary keys, which are not validated. */
const FREE: unique symbol = Symbol("free");
type Value = string | number | boolean | null | readonly Value[] | typeof FREE | { readonly [key: string]: Value };

const image = (repository: string) => ({ registry: "docker.io", repository: `tiphys/${repository}`, tag: "" });
const account: { readonly [key: string]: Value } = { create: true, name: "", labels: FREE, annotations: FREE };
const scheduling: { readonly [key: string]: Value } = {
  nodeSelector: FREE,
  tolerations: [],
  affinity: FREE,
  topologySpreadConstraints: [],
};
const logging = { level: "info", format: "text" };

/** The values with argo-helm's names and our defaults. */
const VALUES: { readonly [key: string]: Value } = {
  images: { tag: "", pullPolicy: "IfNotPresent", pullSecrets: [] },
  crds: { install: true, keep: true, annotations: FREE },
  createAggregateRoles: true,
  nameOverride: "",
  fullnameOverride: "",
  singleNamespace: false,
  workflow: { serviceAccount: { ...account, create: false, name: "argo-workflow" }, rbac: { create: true } },
  controller: {
    name: "workflow-controller",
    image: image("workflow-controller"),
    replicas: 1,
    rbac: { create: true, accessAllSecrets: false, secretWhitelist: [], writeConfigMaps: true },
    serviceAccount: account,
    workflowNamespaces: ["default"],
    instanceID: { enabled: false, useReleaseName: false, explicitID: "" },
    parallelism: null,
    namespaceParallelism: null,
    resourceRateLimit: FREE,
    initialDelay: null,
    workflowWorkers: null,
    cronWorkflowWorkers: null,
    metricsConfig: { enabled: false, path: "/metrics", port: 9090, secure: false, metricsTTL: "", ignoreErrors: false },
    serviceMonitor: { enabled: false, additionalLabels: FREE, namespace: "" },
    persistence: FREE,
    workflowDefaults: FREE,
    workflowRestrictions: FREE,
    retentionPolicy: FREE,
    nodeEvents: { enabled: true },
    podGCGracePeriodSeconds: null,
    podGCDeleteDelayDuration: "",
    links: [],
    columns: [],
    synchronization: FREE,
    workflowEvents: FREE,
    failedPodRestart: FREE,
    navColor: "",
    logging,
    deploymentAnnotations: FREE,
    podAnnotations: FREE,
    podLabels: FREE,
    podSecurityContext: FREE,
    securityContext: FREE,
    resources: FREE,
    livenessProbe: FREE,
    extraArgs: [],
    extraEnv: [],
    volumes: [],
    volumeMounts: [],
    priorityClassName: "",
    pdb: { enabled: false, minAvailable: null, maxUnavailable: null },
    clusterWorkflowTemplates: { enabled: true },
    ...scheduling,
  },
  mainContainer: FREE,
  executor: { image: { ...image("argoexec"), pullPolicy: "" }, resources: FREE, env: [], securityContext: FREE },
  server: {
    enabled: true,
    name: "server",
    image: image("argo-server"),
    replicas: 1,
    rbac: { create: true },
    serviceAccount: account,
    baseHref: "/",
    secure: false,
    authModes: ["client"],
    serviceType: "ClusterIP",
    servicePort: 2746,
    servicePortName: "",
    serviceAnnotations: FREE,
    serviceLabels: FREE,
    logging,
    sso: {
      enabled: false,
      issuer: "",
      issuerAlias: "",
      clientId: { name: "argo-server-sso", key: "client-id" },
      clientSecret: { name: "argo-server-sso", key: "client-secret" },
      redirectUrl: "",
      rbac: { enabled: true, secretWhitelist: [] },
      scopes: [],
      sessionExpiry: "",
      customGroupClaimName: "",
      userInfoPath: "",
      insecureSkipVerify: false,
      filterGroupsRegex: [],
      rootCA: "",
    },
    events: { enabled: false },
    clusterWorkflowTemplates: { enabled: true },
    deploymentAnnotations: FREE,
    podAnnotations: FREE,
    podLabels: FREE,
    podSecurityContext: FREE,
    securityContext: FREE,
    resources: FREE,
    extraArgs: [],
    extraEnv: [],
    tmpVolume: FREE,
    volumes: [],
    volumeMounts: [],
    priorityClassName: "",
    ...scheduling,
  },
  artifactRepository: FREE,
  customArtifactRepository: FREE,
  useDefaultArtifactRepo: false,
  emissary: { images: [] },
  networkPolicy: { enabled: false },
  extraObjects: [],
};

/** Defaults of free values; others are empty. */
const DEFAULTS: Readonly<Record<string, object>> = {
  "controller.podSecurityContext": RESTRICTED_POD,
  "server.podSecurityContext": RESTRICTED_POD,
  "controller.securityContext": RESTRICTED_CONTAINER,
  "server.securityContext": RESTRICTED_CONTAINER,
  "controller.nodeSelector": { "kubernetes.io/os": "linux" },
  "server.nodeSelector": { "kubernetes.io/os": "linux" },
  "controller.resources": { requests: { cpu: "100m", memory: "128Mi" } },
  "server.tmpVolume": { emptyDir: {} },
  "server.resources": { requests: { cpu: "100m", memory: "128Mi" } },
  "controller.livenessProbe": {
    httpGet: { port: 6060, path: "/healthz" },
    failureThreshold: 3,
    initialDelaySeconds: 90,
    periodSeconds: 60,
    timeoutSeconds: 30,
  },
};

/** Returns the generated files of the chart by their path in `manifests/`. */
export function chartFiles(): Map<string, string> {
  const header = "# Generated by scripts/gen.ts. Do not edit; run `deno task gen`.\n";
  const chart = {
    apiVersion: "v2",
    name: "tiphys",
    description: "A workflow engine that runs Argo Workflows' custom resources unchanged",
    type: "application",
    version: VERSION,
    appVersion: `v${VERSION}`,
    kubeVersion: ">=1.25.0-0",
    keywords: ["argo-workflows", "workflow", "workflow-engine"],
    annotations: {
      "artifacthub.io/license": "Apache-2.0",
      "artifacthub.io/category": "integration-delivery",
      "artifacthub.io/images": stringifyYaml(
        ["workflow-controller", "argo-server", "argoexec"].map((name) => ({
          name,
          image: `docker.io/tiphys/${name}:v${VERSION}`,
        })),
      ),
    },
  };
  return new Map([
    [`${FOLDER}/Chart.yaml`, header + stringifyYaml(chart)],
    [`${FOLDER}/README.md`, chartReadme()],
    [`${FOLDER}/values.yaml`, header + stringifyYaml(defaultOf(VALUES, ""))],
    [`${FOLDER}/values.schema.json`, `${JSON.stringify({ $schema: SCHEMA, ...schemaOf(VALUES) }, null, 1)}\n`],
    [`${FOLDER}/templates/_rules.tpl`, rulesTemplate()],
    [
      `${FOLDER}/templates/_known.tpl`,
      `{{- define "tiphys.known" -}}\n${JSON.stringify(withReasons(knownNamesOf(VALUES)))}\n{{- end -}}\n`,
    ],
  ]);
}

/** Returns the chart's README: how to install it, and all values with their defaults. */
function chartReadme(): string {
  const rows = leavesOf(defaultOf(VALUES, ""), "").map((
    [path, value],
  ) => [`\`${path}\``, `\`${JSON.stringify(value)}\``]);
  return `# Tiphys

The Helm chart of controller, server, CRDs and roles. Values have the names of argo-helm's chart \`argo-workflows\`; an
unknown value is refused, with the name that was probably meant.

${generatedFrom("scripts/gen_chart.ts")}

\`\`\`sh
helm install argo manifests/helm/tiphys --namespace argo --create-namespace -f values.yaml
\`\`\`

The images are not published yet: build and push them, and set \`controller.image\`, \`server.image\` and
\`executor.image\` ([install](../../../docs/install.md#on-a-cluster)). [Install with
Helm](../../../docs/install.md#with-helm) explains values that differ from argo-helm.

${table(["Value", "Default"], rows)}
`;
}

/** Returns the leaf values by path. */
function leavesOf(value: unknown, path: string): [path: string, value: unknown][] {
  if (!isObject(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([key, child]) => leavesOf(child, path === "" ? key : `${path}.${key}`));
}

const SCHEMA = "http://json-schema.org/draft-07/schema#";

function defaultOf(value: Value, path: string): unknown {
  if (value === FREE) return DEFAULTS[path] ?? {};
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, defaultOf(child, path === "" ? key : `${path}.${key}`)]),
  );
}

/** Returns a schema of types only: unknown names are rejected by the template, which suggests a correction. */
function schemaOf(value: Value): object {
  if (value === FREE) return { type: ["object", "null"] };
  if (value === null) return { type: ["integer", "string", "null"] };
  if (Array.isArray(value)) return { type: ["array", "null"] };
  if (!isObject(value)) return { type: [typeof value === "number" ? "integer" : typeof value, "null"] };
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(value).map(([key, child]) => [key, schemaOf(child)])),
  };
}

/** The known names as a tree; null for arbitrary content, a string with the reason for a name without effect. */
type KnownNames = null | string | { [name: string]: KnownNames };

function knownNamesOf(value: Value): KnownNames {
  if (!isObject(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, knownNamesOf(child)]));
}

function withReasons(names: KnownNames): KnownNames {
  for (const [path, reason] of Object.entries(ARGO_HELM_VALUES_NOT_HERE)) {
    const [name = "", ...above] = path.split(".").reverse();
    let current = names;
    for (const part of above.reverse()) {
      current = typeof current === "object" && current !== null ? current[part] ?? null : null;
    }
    if (typeof current !== "object" || current === null || name in current) {
      throw new TypeError(`${path} is one of our values, or has no parent`);
    }
    current[name] = reason;
  }
  return names;
}

function rulesTemplate(): string {
  const named: Readonly<Record<string, readonly Rule[]>> = {
    controller: CONTROLLER_RULES,
    controllerCluster: CLUSTER_RULES,
    election: ELECTION_RULES,
    executor: EXECUTOR_RULES,
    collector: COLLECTOR_RULES,
    agent: AGENT_RULES,
    server: SERVER_RULES,
    serverCluster: SERVER_CLUSTER_RULES,
    serverUser: rulesOfRoutes(),
    serverEvents: SERVER_EVENT_RULES,
    ...Object.fromEntries([...aggregatedRules()].map(([name, rules]) => [`aggregate-${name}`, rules])),
  };
  const blocks = Object.entries(named).map(([name, rules]) =>
    `{{- define "tiphys.rules.${name}" -}}\n${stringifyYaml(rules).trimEnd()}\n{{- end -}}\n`
  );
  return `{{- /* Generated by scripts/gen.ts. Do not edit; run \`deno task gen\`. */ -}}\n${blocks.join("")}`;
}
