/** The agent's pod: one per workflow, which runs the HTTP and plugin tasks of the workflow's task set. */
import type { Pod, PodContainer, ServiceAccount, Template, Volume, VolumeMount, WorkflowSpec } from "@tiphys/model/api";
import { AGENT_COMPONENT, ANNOTATION, API_VERSION, CONTAINER, ENV, LABEL, PATH, VOLUME } from "@tiphys/base/constants";
import { fnv1a32 } from "@tiphys/base/go/hash";
import type { PodDraft } from "./layout.ts";
import { INITLESS } from "./layouts/initless.ts";
import { HARDENED, logFlags } from "./parts/executor_container.ts";
import { applyPodSpecPatches } from "./parts/pod_spec_patch.ts";
import { schedulingFields } from "./parts/scheduling.ts";
import { type ExecutorConfig, type PodBuild, PodBuildError, requestWithoutNode } from "./request.ts";

/** The controller's settings for agents. */
export interface AgentSettings {
  /** Minimum interval between reports of an agent, as a Go duration. */
  readonly patchRate: string;
  /** Maximum number of tasks that an agent runs in parallel; the agent's default if absent. */
  readonly taskWorkers?: string | undefined;
  /** Whether requests of templates to this pod, link-local addresses, cloud metadata and the API server are refused. */
  readonly restrictsAddresses?: boolean | undefined;
  /** Servers that are exempt from these restrictions, in the format of `NO_PROXY`. */
  readonly allowedAddresses?: string | undefined;
  readonly cpuLimit: string;
  readonly memoryLimit: string;
}

/** An executor plugin of an agent. */
export interface AgentPlugin {
  readonly name: string;
  /** Whether its sidecar has the token of the account `NAME-executor-plugin`. */
  readonly automountServiceAccountToken?: boolean | undefined;
  /** Its sidecar. The first port is the port of the plugin's server. */
  readonly container: PodContainer;
}

/** The input from which an agent's pod is built. */
export interface AgentPodRequest {
  readonly workflow: { readonly name: string; readonly namespace: string; readonly uid: string };
  /** The effective spec of the workflow. */
  readonly spec: WorkflowSpec;
  readonly podName: string;
  readonly config: ExecutorConfig;
  readonly settings: AgentSettings;
  /** The plugins, in the order in which the agent calls them. */
  readonly plugins: readonly AgentPlugin[];
  /** The service account of the agent, if known. */
  readonly account?: ServiceAccount | undefined;
}

/** The optional secret of a namespace with certificates of additional certificate authorities. */
const CERTIFICATES = "argo-workflows-agent-ca-certificates";
const CERTIFICATES_PATH = "/etc/ssl/certs/ca-certificates/";
const HARDENED_AGENT = { ...HARDENED, readOnlyRootFilesystem: true };

/** The service account of an agent: the executor's, otherwise the workflow's. */
export function agentAccount(spec: WorkflowSpec): string {
  return spec.executor?.serviceAccountName || spec.serviceAccountName || "default";
}

/** Builds the agent's pod. An invalid workflow results in `ok: false`, never in an exception. */
export function buildAgentPod(request: AgentPodRequest): PodBuild {
  try {
    const draft = newDraft(request);
    applyPodSpecPatches(draft, [{ place: "spec.podSpecPatch", text: request.spec.podSpecPatch }]);
    return { ok: true, pod: draft.pod, warnings: draft.warnings };
  } catch (error) {
    if (error instanceof PodBuildError) return { ok: false, message: error.message };
    throw error;
  }
}

function newDraft(request: AgentPodRequest): PodDraft {
  const { workflow, spec, podName, config, plugins } = request;
  const template = { ...schedulingDefaults(spec.templateDefaults), name: AGENT_COMPONENT };
  const { automountServiceAccountToken: _, podResources: __, resourceClaims: ___, ...placing } = spec;
  const podRequest = requestWithoutNode({ workflow, podName, config, template, spec: placing });
  const suffix = String(fnv1a32(workflow.uid)).padStart(5, "0").slice(0, 5);
  const token = tokenVolume(`kube-api-access-${suffix}`, request);
  const certificates: Volume[] = [{
    name: CERTIFICATES,
    secret: { secretName: CERTIFICATES, optional: true },
  }];
  const mount = (name: string, mountPath: string): VolumeMount => ({ name, mountPath, readOnly: true });
  const main = agentContainer(CONTAINER.main, request, [
    { name: VOLUME.varRunArgo, mountPath: PATH.varRunArgo },
    mount(token.name, PATH.serviceAccount),
    mount(CERTIFICATES, CERTIFICATES_PATH),
  ]);
  const init = agentContainer(CONTAINER.init, request, [{ name: VOLUME.varRunArgo, mountPath: PATH.varRunArgo }]);
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: podMetadata(request),
    spec: {
      restartPolicy: "OnFailure",
      ...schedulingFields(podRequest),
      serviceAccountName: agentAccount(spec),
      automountServiceAccountToken: false,
      securityContext: spec.securityContext ??
        { runAsNonRoot: true, runAsUser: HARDENED.runAsUser, seccompProfile: HARDENED.seccompProfile },
      volumes: [
        ...plugins.flatMap((plugin, index) => pluginToken(plugin, index) ?? []),
        { name: VOLUME.varRunArgo, emptyDir: {} },
        token,
        ...certificates,
      ],
      initContainers: [init],
      containers: [...plugins.map(sidecarOf), main],
    },
  };
  return { request: podRequest, template, layout: INITLESS, hasAux: false, pod, warnings: [] };
}

/**
 * The scheduling fields of `templateDefaults`. A field with tags is left out, as it depends on the template that is
 * called.
 */
function schedulingDefaults(defaults: Template = {}): Template {
  const { nodeSelector, affinity, tolerations, schedulerName, priorityClassName, hostAliases } = defaults;
  const fields = { nodeSelector, affinity, tolerations, schedulerName, priorityClassName, hostAliases };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value && !JSON.stringify(value).includes("{{")),
  );
}

function agentContainer(name: string, request: AgentPodRequest, volumeMounts: VolumeMount[]): PodContainer {
  const { config, settings, workflow, plugins } = request;
  const list = (values: unknown[]) => values.length ? JSON.stringify(values) : "null";
  return {
    name,
    image: config.image,
    ...(config.imagePullPolicy ? { imagePullPolicy: config.imagePullPolicy } : {}),
    command: ["argoexec"],
    args: ["agent", name, ...logFlags(config)],
    env: [
      { name: ENV.workflowName, value: workflow.name },
      { name: ENV.workflowUid, value: workflow.uid },
      { name: ENV.agentPatchRate, value: settings.patchRate },
      { name: ENV.pluginAddresses, value: list(plugins.map(pluginAddress)) },
      { name: ENV.pluginNames, value: list(plugins.map(({ container }) => container.name)) },
      ...(settings.taskWorkers ? [{ name: ENV.agentTaskWorkers, value: settings.taskWorkers }] : []),
      ...(settings.restrictsAddresses
        ? [
          { name: ENV.restrictAddresses, value: "true" },
          { name: ENV.allowedAddresses, value: settings.allowedAddresses ?? "" },
        ]
        : []),
    ],
    resources: {
      requests: { cpu: "10m", memory: "64M" },
      limits: { cpu: settings.cpuLimit, memory: settings.memoryLimit },
    },
    securityContext: HARDENED_AGENT,
    volumeMounts,
  };
}

/** The token of the agent's account: bound to this pod, unless an annotation of the account names a secret. */
function tokenVolume(name: string, { account }: AgentPodRequest): Volume {
  const secretName = account?.metadata.annotations?.[ANNOTATION.serviceAccountTokenName];
  return secretName ? { name, secret: { secretName } } : boundToken(name);
}

function boundToken(name: string): Volume {
  const namespace = { path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } };
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { path: "token", expirationSeconds: 3607 } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }], optional: true } },
        { downwardAPI: { items: [namespace] } },
      ],
    },
  };
}

/**
 * The volume with the token of a plugin's account, from a secret: a projected token always belongs to the pod's
 * account. Undefined if the plugin does not mount a token.
 */
function pluginToken({ name, automountServiceAccountToken }: AgentPlugin, index: number): Volume | undefined {
  if (!automountServiceAccountToken) return undefined;
  return { name: tokenVolumeName(index), secret: { secretName: `${name}-executor-plugin.service-account-token` } };
}

/** Starts with the prefix of Kubernetes' token volumes, by which policies recognize them. */
function tokenVolumeName(index: number): string {
  return `kube-api-access-plugin-${index}`;
}

/** The sidecar of a plugin. It mounts the token with which the agent calls it and, if set, its account's token. */
function sidecarOf({ container, automountServiceAccountToken }: AgentPlugin, index: number): PodContainer {
  const own: VolumeMount[] = [
    { name: VOLUME.varRunArgo, mountPath: PATH.varRunArgo, readOnly: true, subPath: container.name },
    ...(automountServiceAccountToken
      ? [{ name: tokenVolumeName(index), mountPath: PATH.serviceAccount, readOnly: true }]
      : []),
  ];
  return {
    ...container,
    volumeMounts: [...container.volumeMounts ?? [], ...own],
  };
}

function pluginAddress({ container }: AgentPlugin): string {
  return `http://localhost:${container.ports?.[0]?.containerPort}`;
}

/**
 * The metadata of the pod: the user's labels and annotations, overridden by those that identify the pod.
 */
function podMetadata({ workflow, spec, podName, config }: AgentPodRequest): Pod["metadata"] {
  const { name, namespace, uid } = workflow;
  return {
    name: podName,
    namespace,
    labels: {
      ...spec.podMetadata?.labels,
      ...(config.instanceId ? { [LABEL.instanceId]: config.instanceId } : {}),
      [LABEL.workflow]: name,
      [LABEL.completed]: "false",
      [LABEL.component]: AGENT_COMPONENT,
    },
    annotations: { ...spec.podMetadata?.annotations, [ANNOTATION.defaultContainer]: CONTAINER.main },
    ownerReferences: [{
      apiVersion: API_VERSION,
      kind: "Workflow",
      name,
      uid,
      controller: true,
      blockOwnerDeletion: true,
    }],
  };
}
