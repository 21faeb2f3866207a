/** The pod that deletes artifacts of a workflow with the executor's `artifact delete` and the required plugins. */
import type { ArtifactLocation, Metadata, Pod, Template, Volume, WorkflowSpec } from "@tiphys/model/api";
import { storeOf } from "@tiphys/model/artifact/stores";
import { ANNOTATION, ARTIFACT_GC_COMPONENT, CONTAINER, ENV, LABEL, PATH, VOLUME } from "@tiphys/base/constants";
import { fnv1a32 } from "@tiphys/base/go/hash";
import { unknownImage } from "./build.ts";
import type { PodDraft } from "./layout.ts";
import { INITLESS } from "./layouts/initless.ts";
import { LEGACY } from "./layouts/legacy.ts";
import { setEnv } from "./parts/environment.ts";
import { credentialVolumes, executorContainer, HARDENED, logFlags } from "./parts/executor_container.ts";
import { addPlugins } from "./parts/plugin_containers.ts";
import { applyPodSpecPatches } from "./parts/pod_spec_patch.ts";
import { withMounts } from "./parts/template_containers.ts";
import { addVolume, secretVolumes, VAR_RUN_ARGO_MOUNT } from "./parts/volumes.ts";
import { type ExecutorConfig, type PodBuild, PodBuildError, requestWithoutNode, UnknownImageError } from "./request.ts";

/** The input from which such a pod is built. */
export interface GarbagePodRequest {
  readonly workflow: { readonly name: string; readonly namespace: string; readonly uid: string };
  /** The effective spec of the workflow, which has the default service account and scheduling of the pod. */
  readonly spec: WorkflowSpec;
  readonly podName: string;
  /** The strategy of artifact garbage collection, which determines when artifacts are deleted. */
  readonly strategy: string;
  /** Identifies the workflow and its completion for which the pod deletes artifacts. */
  readonly round: string;
  readonly serviceAccountName?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly podSpecPatch?: string | undefined;
  /** The full locations of the artifacts to delete. */
  readonly locations: readonly ArtifactLocation[];
  readonly config: ExecutorConfig;
  /** Whether plugin sidecars have the legacy layout regardless of the settings: the cluster drops image volumes. */
  readonly isLegacy: boolean;
}

/** The value of the label by which a pod selects its tasks. */
export function garbageLabel(podName: string): string {
  return String(fnv1a32(podName));
}

/** The time limit of such a pod, in seconds. */
const MAX_ACTIVE_SECONDS = 3600;

/** The resources of its container. They are small to limit abuse of a compromised pod. */
const RESOURCES = { requests: { cpu: "50m", memory: "64Mi" }, limits: { cpu: "500m", memory: "256Mi" } };

/** A small heap: an unlimited one would use more than twice the memory without benefit. */
const SMALL_HEAP = "--max-old-space-size=96,--optimize-for-size";

/** Builds the pod without its owners, the tasks. An invalid workflow results in `ok: false`, never in an exception. */
export function buildGarbagePod(request: GarbagePodRequest): PodBuild {
  let draft: PodDraft | undefined;
  try {
    draft = newDraft(request);
    addSecrets(draft, request.locations);
    addSidecars(draft, request.locations);
    applyPodSpecPatches(draft, [{
      place: "podSpecPatch of the artifact garbage collection",
      text: request.podSpecPatch,
    }]);
    return { ok: true, pod: draft.pod, warnings: draft.warnings };
  } catch (error) {
    if (error instanceof UnknownImageError && draft) {
      return { ok: false, message: error.message, unknownImage: unknownImage(error, draft) };
    }
    if (error instanceof PodBuildError) return { ok: false, message: error.message };
    throw error;
  }
}

function newDraft(request: GarbagePodRequest): PodDraft {
  const { workflow, spec, podName, config, serviceAccountName } = request;
  const template: Template = { name: ARTIFACT_GC_COMPONENT };
  const podRequest = requestWithoutNode({ workflow, podName, config, template, spec: {} });
  const container = executorContainer(
    CONTAINER.main,
    ["argoexec", "artifact", "delete", ...logFlags(config)],
    podRequest,
  );
  setEnv(container, [
    { name: ENV.containerName, value: CONTAINER.main },
    { name: "DENO_V8_FLAGS", value: SMALL_HEAP },
    { name: ENV.artifactGcPod, value: garbageLabel(podName) },
  ]);
  const { imagePullSecrets, nodeSelector, tolerations } = spec;
  const account = serviceAccountName || spec.serviceAccountName;
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: podMetadata(request),
    spec: {
      restartPolicy: "Never",
      activeDeadlineSeconds: MAX_ACTIVE_SECONDS,
      automountServiceAccountToken: true,
      ...(account ? { serviceAccountName: account } : {}),
      securityContext: { runAsNonRoot: true, runAsUser: HARDENED.runAsUser, seccompProfile: HARDENED.seccompProfile },
      ...(imagePullSecrets?.length ? { imagePullSecrets } : {}),
      ...(nodeSelector ? { nodeSelector } : {}),
      ...(tolerations?.length ? { tolerations } : {}),
      volumes: [...credentialVolumes(podRequest).kubeConfig, { name: VOLUME.tmpDirArgo, emptyDir: {} }],
      containers: [{
        ...withMounts(container, [{ name: VOLUME.tmpDirArgo, mountPath: "/tmp" }]),
        securityContext: config.securityContext ?? { ...HARDENED, readOnlyRootFilesystem: true },
        resources: RESOURCES,
      }],
    },
  };
  const layout = request.isLegacy || config.layout === "legacy" ? LEGACY : INITLESS;
  return { request: podRequest, template, layout, hasAux: false, pod, warnings: [] };
}

/**
 * The metadata of the pod: the user's labels and annotations, overridden by those that identify the pod.
 */
function podMetadata({ workflow, podName, strategy, round, metadata, config }: GarbagePodRequest): Pod["metadata"] {
  return {
    name: podName,
    namespace: workflow.namespace,
    labels: {
      [LABEL.completed]: "false",
      ...metadata?.labels,
      ...(config.instanceId ? { [LABEL.instanceId]: config.instanceId } : {}),
      [LABEL.workflow]: workflow.name,
      [LABEL.component]: ARTIFACT_GC_COMPONENT,
    },
    annotations: {
      ...metadata?.annotations,
      [ANNOTATION.artifactGcStrategy]: strategy,
      [ANNOTATION.artifactGcRound]: round,
    },
  };
}

/** Adds the secrets of stores as optional volumes: without one, the pod reports it and deletes the other artifacts. */
function addSecrets(draft: PodDraft, locations: readonly ArtifactLocation[]): void {
  for (const { name, secret } of secretVolumes(locations)) {
    const volume: Volume = {
      name: /^[a-z0-9-]{1,63}$/.test(name) && !isTaken(draft, name) ? name : `argo-secret-${fnv1a32(name)}`,
      secret: { ...secret, optional: true },
    };
    addVolume(draft, volume);
    const mount = { name: volume.name, mountPath: `${PATH.secrets}/${name}`, readOnly: true };
    draft.pod.spec.containers = draft.pod.spec.containers.map((container) => withMounts(container, [mount]));
  }
}

function isTaken({ pod }: PodDraft, name: string): boolean {
  return pod.spec.volumes?.some((volume) => volume.name === name) === true;
}

function addSidecars(draft: PodDraft, locations: readonly ArtifactLocation[]): void {
  const plugins = new Set(
    locations.flatMap((location) => storeOf(location) === "plugin" ? location.plugin?.name || [] : []),
  );
  if (plugins.size === 0) return;
  for (const volume of draft.layout.executorVolumes(draft.request)) addVolume(draft, volume);
  addVolume(draft, { name: VOLUME.varRunArgo, emptyDir: {} });
  addPlugins(draft, [...plugins], ({ name }) => name === CONTAINER.main);
  const { spec } = draft.pod;
  spec.containers = spec.containers.map((container) => withMounts(container, [VAR_RUN_ARGO_MOUNT]));
  const init = draft.layout.initContainers(draft).map((container) => withMounts(container, [VAR_RUN_ARGO_MOUNT]));
  for (const container of init) setEnv(container, [{ name: ENV.template, value: "{}" }]);
  for (const container of spec.containers) {
    if (container.name !== CONTAINER.main) setEnv(container, [{ name: ENV.containerName, value: container.name }]);
  }
  if (init.length) spec.initContainers = init;
}
