/** Volumes of a pod, and the mounts that executor containers share with the user's. */
import type { PodContainer, SecretKeySelector, Template, Volume, VolumeMount } from "../api/mod.ts";
import { CONTAINER, PATH, VOLUME } from "../constants.ts";
import { isArgoSidecar, isAux } from "../container_names.ts";
import { userVolumeMounts } from "./artifact_paths.ts";
import { credentialVolumes } from "./executor_container.ts";
import type { PodDraft, PodLayout } from "./layout.ts";
import { below, isUncPath } from "./paths.ts";
import { PodBuildError, type PodRequest } from "./request.ts";
import { podTemplateType, withMounts } from "./template_containers.ts";

/** The mount through which the containers of a pod talk to each other. */
export const VAR_RUN_ARGO_MOUNT: VolumeMount = { name: VOLUME.varRunArgo, mountPath: PATH.varRunArgo };

/** Where the aux container and the plugins' sidecars find outputs under one path, inside the scratch folders of both. */
export const SHARED_OUTPUTS_MOUNT: VolumeMount = {
  name: VOLUME.tmpDirArgo,
  mountPath: PATH.sharedOutputs,
  subPath: "argo/outputs",
};

/** What every pod has, in the order Argo has it. */
export function skeletonVolumes(request: PodRequest, layout: PodLayout): Volume[] {
  const { kubeConfig, token } = credentialVolumes(request);
  return [
    ...kubeConfig,
    { name: VOLUME.varRunArgo, emptyDir: {} },
    { name: VOLUME.tmpDirArgo, emptyDir: {} },
    ...request.template.volumes ?? [],
    ...layout.executorVolumes(request),
    ...token,
  ];
}

/** Adds the volumes that containers of the template mount. Throws {@link PodBuildError} for an unknown one. */
export function addReferencedVolumes(draft: PodDraft): void {
  const { template, request } = draft;
  const known = [...template.volumes ?? [], ...request.spec.volumes ?? [], ...request.claims ?? []];
  const users = [
    ...template.containerSet?.containers ?? [],
    ...template.initContainers ?? [],
    ...template.sidecars ?? [],
  ];
  const mounts = [...userVolumeMounts(template), ...users.flatMap(({ volumeMounts }) => volumeMounts ?? [])];
  for (const { name } of mounts) {
    const volume = known.find((one) => one.name === name);
    if (!volume) throw new PodBuildError(`volume '${name}' not found in workflow spec`);
    addVolume(draft, volume);
  }
  for (const volume of secretVolumes(template)) {
    addVolume(draft, volume);
    const mount = { name: volume.name, mountPath: `${PATH.secrets}/${volume.name}`, readOnly: true };
    const reads = (c: PodContainer) =>
      isAux(c.name) || draft.layout.isStager(c) || (template.data !== undefined && c.name === CONTAINER.main);
    mountWhere(draft, reads, [mount]);
  }
}

/** The folder the script's source is put into, shared by the container that stages it and main. */
export function addScriptStaging(draft: PodDraft): void {
  if (!draft.template.script) return;
  addVolume(draft, { name: VOLUME.argoStaging, emptyDir: {} });
  const reads = (c: PodContainer) => draft.layout.isStager(c) || c.name === CONTAINER.main;
  mountWhere(draft, reads, [{ name: VOLUME.argoStaging, mountPath: PATH.staging }]);
}

/** Input artifacts: one volume that the stager fills, and main's view of it. */
export function addInputArtifacts(draft: PodDraft): void {
  const { template, layout } = draft;
  if (!template.inputs?.artifacts?.length) return;
  const own = layout.inputMounts(template);
  addVolume(draft, { name: VOLUME.inputArtifacts, emptyDir: {} });
  mountWhere(draft, (c) => c.name === CONTAINER.main, own);
}

/** Lets the containers that load inputs write them: into their volume, and through the mirror into volumes of the user. */
export function showInputsToLoaders(draft: PodDraft): void {
  const { template, layout } = draft;
  if (!template.inputs?.artifacts?.length) return;
  const whole = { name: VOLUME.inputArtifacts, mountPath: PATH.inputArtifacts };
  mountWhere(draft, (c) => layout.isLoader(c), [whole, ...mirrored(userVolumeMounts(template))]);
}

/**
 * Lets the aux container and the plugins' sidecars see what main sees, under a root of their own: outputs on volumes are
 * read there.
 */
export function mirrorMainMounts(draft: PodDraft): void {
  const type = podTemplateType(draft.template);
  if (type === "resource" || type === "data") return;
  const main = draft.pod.spec.containers.find(({ name }) => name === CONTAINER.main);
  mountWhere(draft, (c) => isArgoSidecar(c.name), mirrored(main?.volumeMounts ?? []));
}

/** Adds a volume unless one of its name is there. */
export function addVolume({ pod }: PodDraft, volume: Volume): void {
  pod.spec.volumes ??= [];
  if (!pod.spec.volumes.some(({ name }) => name === volume.name)) pod.spec.volumes.push(volume);
}

/** Adds mounts to the containers, init containers included, that the test picks. */
export function mountWhere(
  { pod }: PodDraft,
  test: (container: PodContainer) => boolean,
  mounts: readonly VolumeMount[],
): void {
  const mount = (container: PodContainer) => test(container) ? withMounts(container, mounts) : container;
  if (pod.spec.initContainers) pod.spec.initContainers = pod.spec.initContainers.map(mount);
  pod.spec.containers = pod.spec.containers.map(mount);
}

/** A mount must be writable in the mirror: artifacts below it are written there before main starts. */
function mirrored(mounts: readonly VolumeMount[]): VolumeMount[] {
  return mounts.filter(({ mountPath }) => !isUncPath(mountPath)).map((mount) => {
    const { readOnly: _, recursiveReadOnly: __, ...rest } = mount;
    return { ...rest, mountPath: below(PATH.mainFileSystem, mount.mountPath) };
  });
}

/** One volume per secret that an artifact store of the template needs, with the needed keys only. */
function secretVolumes(template: Template): Volume[] {
  const places = [
    template.archiveLocation,
    ...template.outputs?.artifacts ?? [],
    ...template.inputs?.artifacts ?? [],
    template.data?.source.artifactPaths,
  ];
  const keys = new Map<string, Set<string>>();
  for (const { name, key } of places.flatMap(secretSelectors)) {
    if (!name || !key) continue;
    keys.set(name, (keys.get(name) ?? new Set()).add(key));
  }
  return [...keys].map(([name, wanted]) => ({
    name,
    secret: { secretName: name, items: [...wanted].map((key) => ({ key, path: key })) },
  }));
}

/** Every `...Secret` selector inside a location, whichever store it is. */
function secretSelectors(value: unknown): Pick<SecretKeySelector, "name" | "key">[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) =>
    field.endsWith("Secret") && isSelector(inner) ? [inner] : secretSelectors(inner)
  );
}

function isSelector(value: unknown): value is SecretKeySelector {
  return typeof value === "object" && value !== null && "key" in value && typeof value.key === "string";
}
