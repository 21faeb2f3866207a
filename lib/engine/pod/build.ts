/** Builds the pod of a node from its template. */
import type { ArtifactLocation, PodContainer, Template } from "@tiphys/model/api";
import { pathProblem } from "@tiphys/model/artifact/artifact_path";
import { CONTAINER } from "@tiphys/base/constants";
import { reservedNameMessage } from "@tiphys/model/container_names";
import { LIMITS } from "@tiphys/base/limits";
import { isRunBy } from "@tiphys/model/templates";
import { recordDerived, replaceField, replaceTags, type Scope } from "@tiphys/language/template";
import { resolveArchiveLocation } from "./parts/archive_location.ts";
import { addPluginSidecars } from "./parts/plugin_containers.ts";
import { withPluginTimeouts } from "./parts/plugin_use.ts";
import { chooseLayout, prefersSingleContainer } from "./layouts/choose_layout.ts";
import { needsOnlyMain } from "./layouts/single_container.ts";
import { wrapCommands } from "./parts/command.ts";
import { activeLimit, kubeletLimit } from "./parts/deadline.ts";
import { addStandardEnv } from "./parts/environment.ts";
import type { PodDraft } from "./layout.ts";
import { mainContainers } from "./parts/main_containers.ts";
import { annotateDefaultContainer, podMetadata } from "./parts/metadata.ts";
import { offload } from "./parts/offload.ts";
import { applyPodSpecPatches, patchesOf } from "./parts/pod_spec_patch.ts";
import { type PodBuild, PodBuildError, type PodRequest, type UnknownImage, UnknownImageError } from "./request.ts";
import { schedulingFields } from "./parts/scheduling.ts";
import { checkNames, podTemplateType, withMounts } from "./parts/template_containers.ts";
import { addArtifactCache } from "./parts/artifact_cache_volume.ts";
import {
  addInputArtifacts,
  addReferencedVolumes,
  addScriptStaging,
  baseVolumes,
  mirrorMainMounts,
  mountInputsInLoaders,
  VAR_RUN_ARGO_MOUNT,
} from "./parts/volumes.ts";

/**
 * Builds the pod of a node, and the ConfigMap that must exist before it. Depends only on the request: equal requests
 * result in equal pods. An invalid template results in `ok: false`, never in an exception.
 */
export function buildPod(request: PodRequest): PodBuild {
  let draft: PodDraft | undefined;
  try {
    checkNames(request.template);
    checkPaths(request.template);
    checkOwnContainers(request.template);
    draft = newDraft(substituteRemainingTags(request));
    addReferencedVolumes(draft);
    addInputArtifacts(draft);
    addScriptStaging(draft);
    addUserContainers(draft);
    addPluginSidecars(draft);
    mountInputsInLoaders(draft);
    addArtifactCache(draft);
    mirrorMainMounts(draft);
    addStandardEnv(draft);
    applyPodSpecPatches(draft, patchesOf(draft.request.spec, draft.template));
    checkContainerCount(draft);
    wrapCommands(draft);
    const configMap = offload(draft);
    return { ok: true, pod: draft.pod, ...(configMap ? { configMap } : {}), warnings: draft.warnings };
  } catch (error) {
    if (error instanceof UnknownImageError && draft) {
      return { ok: false, message: error.message, unknownImage: unknownImage(error, draft) };
    }
    if (error instanceof PodBuildError) return { ok: false, message: error.message };
    throw error;
  }
}

/** The image whose command is unknown, with the pull secrets and service account for a request to its registry. */
export function unknownImage({ image }: UnknownImageError, { pod: { spec } }: PodDraft): UnknownImage {
  const pullSecrets = (spec.imagePullSecrets ?? []).flatMap(({ name }) => name ?? []);
  return { image, pullSecrets, serviceAccount: spec.serviceAccountName ?? "default" };
}

/** Checks the paths of artifacts again after substitution: a path from a value must not leave its folder either. */
function checkPaths({ inputs, outputs }: Template): void {
  for (const artifact of [...inputs?.artifacts ?? [], ...outputs?.artifacts ?? []]) {
    const problem = pathProblem(artifact);
    if (problem !== undefined) throw new PodBuildError(problem);
  }
}

/** Rejects a template with more containers than a pod may have, before they are built. */
function checkOwnContainers({ name = "", containerSet, initContainers, sidecars }: Template): void {
  const counts = [containerSet?.containers, initContainers, sidecars].map((list) => list?.length ?? 0);
  checkCount(name, counts.reduce((sum, count) => sum + count, 0));
}

/** Rejects a pod with too many containers, including those of the executor, plugins and patches. */
function checkContainerCount({ pod: { spec }, template }: PodDraft): void {
  checkCount(template.name ?? "", spec.containers.length + (spec.initContainers?.length ?? 0));
}

function checkCount(template: string, count: number): void {
  if (count <= LIMITS.podContainers) return;
  throw new PodBuildError(
    `the pod of template "${template}" has ${count} containers; the maximum is ${LIMITS.podContainers}`,
  );
}

function newDraft(request: PodRequest): PodDraft {
  const { template } = request;
  const containers = mainContainers(request);
  const { layout, reason } = chooseLayout(request, containers);
  const type = podTemplateType(template);
  const isExecutorTemplate = isRunBy(type, "executor");
  const archivesLogs = template.archiveLocation?.archiveLogs === true;
  const isSingle = layout.kind === "initless" && prefersSingleContainer(request) && needsOnlyMain(request, containers);
  const hasAux = !isSingle &&
    (!isExecutorTemplate || (type === "resource" && archivesLogs) || layout.needsAux(template));
  const limit = activeLimit(request, containers);
  const deadline = kubeletLimit(limit, hasAux);
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: podMetadata(request, reason),
    spec: {
      restartPolicy: "Never",
      ...schedulingFields(request),
      ...(deadline === undefined ? {} : { activeDeadlineSeconds: deadline }),
      volumes: baseVolumes(request, layout),
      containers,
    },
  };
  const draft: PodDraft = { request, template, layout, hasAux, isSingle, activeLimit: limit, pod, warnings: [] };
  if (hasAux) draft.pod.spec.containers.unshift(layout.auxContainer(draft));
  annotateDefaultContainer(draft.pod);
  const init = layout.initContainers(draft);
  if (init.length) draft.pod.spec.initContainers = init;
  return draft;
}

/** Substitutes the remaining tags of the request in fields of the workflow and the configuration, not in arguments. */
function substituteRemainingTags(request: PodRequest): PodRequest {
  const { template, spec, boundaryTemplate, podName } = request;
  const inputs = (template.inputs?.parameters ?? []).map(({ name, value }) =>
    [`inputs.parameters.${name}`, value ?? ""] as const
  );
  const scope: Scope = new Map([...request.globals, ...inputs, ["pod.name", podName]]);
  const lenient = <T>(value: T) => replaceTags(value, scope, { kind: "lenient" });
  const { templates: _, templateDefaults: __, arguments: ___, hooks: ____, podSpecPatch, ...fields } = spec;
  const location = resolveArchiveLocation(
    template,
    spec,
    lenient<ArtifactLocation | undefined>(request.archiveLocation),
  );
  const { env, args, mainContainer } = request.config;
  return {
    ...request,
    config: { ...request.config, ...lenient({ env, args, mainContainer }) },
    template: withPluginTimeouts(
      location ? { ...template, archiveLocation: location } : template,
      request.config.artifactDrivers,
    ),
    spec: {
      ...lenient(recordDerived(fields, spec)),
      ...(podSpecPatch ? { podSpecPatch: replaceField(spec, "podSpecPatch", scope, { kind: "lenient" }) } : {}),
    },
    boundaryTemplate: boundaryTemplate && lenient<Template>({
      nodeSelector: boundaryTemplate.nodeSelector,
      affinity: boundaryTemplate.affinity,
      tolerations: boundaryTemplate.tolerations,
    }),
  };
}

/** Rejects an init container of the user that has the name of one of the layout's. */
function checkInitNames(layoutContainers: readonly PodContainer[], { name = "", initContainers = [] }: Template): void {
  const taken = initContainers.find((own) => layoutContainers.some((container) => container.name === own.name));
  if (!taken) return;
  const message = `${reservedNameMessage(taken.name)} in the legacy layout of pods`;
  throw new PodBuildError(`templates.${name}.initContainers: ${message}`);
}

function addUserContainers({ pod, template }: PodDraft): void {
  const main = pod.spec.containers.find(({ name }) => name === CONTAINER.main);
  const own = (users: Template["sidecars"]): PodContainer[] =>
    (users ?? []).map(({ mirrorVolumeMounts, ...container }) =>
      mirrorVolumeMounts ? withMounts(container, main?.volumeMounts ?? []) : container
    );
  checkInitNames(pod.spec.initContainers ?? [], template);
  const init = [...pod.spec.initContainers ?? [], ...own(template.initContainers)];
  if (init.length) pod.spec.initContainers = init.map((container) => withMounts(container, [VAR_RUN_ARGO_MOUNT]));
  pod.spec.containers.push(...own(template.sidecars));
}
