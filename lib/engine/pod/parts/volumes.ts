/** Volumes of a pod, and the mounts that executor containers share with the user's. */
import type { ArtifactLocation, PodContainer, Template, Volume, VolumeMount } from "@tiphys/model/api";
import { secretSelectors } from "@tiphys/model/artifact/stores";
import { CONTAINER, PATH, VOLUME } from "@tiphys/base/constants";
import { fnv1a32 } from "@tiphys/base/go/hash";
import { sameJson } from "@tiphys/kube/patch/merge";
import { isArgoSidecar, isAux } from "@tiphys/model/container_names";
import { below, isUncPath, userVolumeMounts } from "@tiphys/model/pod";
import { isRunBy } from "@tiphys/model/templates";
import { credentialVolumes } from "./executor_container.ts";
import type { PodDraft, PodLayout } from "../layout.ts";
import { PodBuildError, type PodRequest } from "../request.ts";
import { podTemplateType, withMounts } from "./template_containers.ts";

/** The mount through which the containers of a pod communicate. */
export const VAR_RUN_ARGO_MOUNT: VolumeMount = { name: VOLUME.varRunArgo, mountPath: PATH.varRunArgo };

/**
 * The mount at which the aux container and the plugins' sidecars share outputs, at the same path in their scratch
 * folders.
 */
export const SHARED_OUTPUTS_MOUNT: VolumeMount = {
  name: VOLUME.tmpDirArgo,
  mountPath: PATH.sharedOutputs,
  subPath: "argo/outputs",
};

/** The volumes of every pod, in Argo's order. */
export function baseVolumes(request: PodRequest, layout: PodLayout): Volume[] {
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

/**
 * Adds the volumes that containers of the template mount.
 * @throws {PodBuildError} for an undeclared volume.
 */
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
    const volume = known.find((candidate) => candidate.name === name);
    if (!volume) throw new PodBuildError(`volume '${name}' not found in workflow spec`);
    addVolume(draft, volume);
  }
  // A single-container pod does not access stores.
  for (const secret of draft.isSingle ? [] : secretVolumes(locationsOf(template))) {
    const { secretName } = secret.secret;
    const volume = { ...secret, name: secretVolumeName(draft, secretName) };
    addVolume(draft, volume);
    const mount = { name: volume.name, mountPath: `${PATH.secrets}/${secretName}`, readOnly: true };
    const reads = (c: PodContainer) =>
      isAux(c.name) || draft.layout.isStager(c) || (template.data !== undefined && c.name === CONTAINER.main);
    mountWhere(draft, reads, [mount]);
  }
}

/** Adds the volume with the source of a script, shared by main and the container that stages the source. */
export function addScriptStaging(draft: PodDraft): void {
  if (!draft.template.script) return;
  addVolume(draft, { name: VOLUME.argoStaging, emptyDir: {} });
  const reads = (c: PodContainer) => draft.layout.isStager(c) || c.name === CONTAINER.main;
  mountWhere(draft, reads, [{ name: VOLUME.argoStaging, mountPath: PATH.staging }]);
}

/** Adds the volume with input artifacts, which the stager fills, and its mounts in main. */
export function addInputArtifacts(draft: PodDraft): void {
  const { template, layout } = draft;
  if (!template.inputs?.artifacts?.length) return;
  const own = layout.inputMounts(template);
  addVolume(draft, { name: VOLUME.inputArtifacts, emptyDir: {} });
  mountWhere(draft, (c) => c.name === CONTAINER.main, own);
}

/** Mounts the input volume, and the mirror of the user's volumes, in the containers that load inputs. */
export function mountInputsInLoaders(draft: PodDraft): void {
  const { template, layout } = draft;
  if (!template.inputs?.artifacts?.length) return;
  const whole = { name: VOLUME.inputArtifacts, mountPath: PATH.inputArtifacts };
  mountWhere(draft, (c) => layout.isLoader(c), [whole, ...mirrorMounts(userVolumeMounts(template))]);
}

/**
 * Mirrors main's mounts in the aux container and the plugins' sidecars, below a separate root, so that they can read
 * outputs on volumes.
 */
export function mirrorMainMounts(draft: PodDraft): void {
  if (isRunBy(podTemplateType(draft.template), "executor")) return;
  const main = draft.pod.spec.containers.find(({ name }) => name === CONTAINER.main);
  mountWhere(draft, (c) => isArgoSidecar(c.name), mirrorMounts(main?.volumeMounts ?? []));
}

/**
 * Adds a volume unless the pod has it already.
 * @throws {PodBuildError} if the pod has another volume of that name: a container of the user could mount the
 * executor's token.
 */
export function addVolume({ pod }: PodDraft, volume: Volume): void {
  pod.spec.volumes ??= [];
  const existing = pod.spec.volumes.find(({ name }) => name === volume.name);
  if (!existing) pod.spec.volumes.push(volume);
  else if (!sameJson(existing, volume)) {
    throw new PodBuildError(`volume '${volume.name}' has the name of another volume of the pod: rename it`);
  }
}

/**
 * The volume name of a secret: its own name, or a hash if that has dots, is too long, or is taken by another volume.
 */
function secretVolumeName({ pod, template, request }: PodDraft, secret: string): string {
  const taken = [...pod.spec.volumes ?? [], ...template.volumes ?? [], ...request.spec.volumes ?? []];
  const isFree = !taken.some(({ name }) => name === secret);
  return isFree && /^[a-z0-9-]{1,63}$/.test(secret) ? secret : `argo-secret-${fnv1a32(secret)}`;
}

/** Adds mounts to the containers, including init containers, that `test` selects. */
export function mountWhere(
  { pod }: PodDraft,
  test: (container: PodContainer) => boolean,
  mounts: readonly VolumeMount[],
): void {
  const mount = (container: PodContainer) => test(container) ? withMounts(container, mounts) : container;
  if (pod.spec.initContainers) pod.spec.initContainers = pod.spec.initContainers.map(mount);
  pod.spec.containers = pod.spec.containers.map(mount);
}

/** The mirrored mounts, which are writable: artifacts below them are written there before main starts. */
function mirrorMounts(mounts: readonly VolumeMount[]): VolumeMount[] {
  return mounts.filter(({ mountPath }) => !isUncPath(mountPath)).map((mount) => {
    const { readOnly: _, recursiveReadOnly: __, ...rest } = mount;
    return { ...rest, mountPath: below(PATH.mainFileSystem, mount.mountPath) };
  });
}

/** All artifact locations of a template. */
function locationsOf({ archiveLocation, inputs, outputs, data }: Template): (ArtifactLocation | undefined)[] {
  return [
    archiveLocation,
    ...outputs?.artifacts ?? [],
    ...inputs?.artifacts ?? [],
    data?.source.artifactPaths as ArtifactLocation | undefined,
  ];
}

/** One volume per secret that the stores of locations need, with the name of the secret and only the needed keys. */
export function secretVolumes(
  locations: readonly (ArtifactLocation | undefined)[],
): (Volume & { secret: { secretName: string } })[] {
  const keys = new Map<string, Set<string>>();
  for (const { name, key } of locations.flatMap((place) => secretSelectors(place))) {
    if (!name || !key) continue;
    keys.set(name, (keys.get(name) ?? new Set()).add(key));
  }
  return [...keys].map(([name, items]) => ({
    name,
    secret: { secretName: name, items: [...items].map((key) => ({ key, path: key })) },
  }));
}
