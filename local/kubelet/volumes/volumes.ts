/** The volumes of a pod, each as a folder of this machine. */

import type { Pod, Volume } from "@tiphys/model/api";
import { giveToRoot, type RootId } from "./belonging.ts";
import { fieldValue, type PodAddress, resourceValue } from "./downward_api.ts";
import type { Lookup } from "./lookup.ts";
import { pullSecrets } from "../pull_secrets.ts";
import type { ImagePull } from "../runtime/runtime.ts";
import { SetupError } from "../setup_error.ts";
import { contentFiles, type KeySelection, type VolumeFile, writeVolumeFiles } from "./volume_files.ts";

/** A volume that can be mounted. */
export interface PreparedVolume {
  readonly path: string;
  readonly readOnly: boolean;
  /** Whether nobody writes to the volume while it exists. */
  readonly isFixed?: boolean;
}

/** The sources of volumes, shared by all pods. */
export interface VolumeWorld {
  readonly lookup: Lookup;
  readonly address: PodAddress;
  /**
   * Returns the folder of a claim, for the pod with a UID.
   * @throws {SetupError} if the claim does not exist.
   */
  claimFolder(namespace: string, name: string, pod: string): Promise<string>;
  /**
   * Returns the content of an image that is mounted as a volume.
   * @throws {SetupError} if the image cannot be pulled.
   */
  imageFolder(reference: string, pull: ImagePull): Promise<string>;
  /** Whether pods may mount folders of this machine. */
  readonly allowHostPath: boolean;
  /** The folder with the caches of input artifacts: one subfolder for each namespace, which its pods may mount. */
  readonly cacheFolder?: string;
  /** The owner of new volumes. */
  readonly rootId?: RootId;
}

/**
 * Prepares all volumes of a pod below `folder`. Each folder is named after the volume's index.
 * @throws {SetupError} if a volume cannot be created yet.
 */
export async function prepareVolumes(
  pod: Pod,
  folder: string,
  world: VolumeWorld,
): Promise<Map<string, PreparedVolume>> {
  const prepared = new Map<string, PreparedVolume>();
  for (const [place, volume] of (pod.spec.volumes ?? []).entries()) {
    prepared.set(volume.name, await prepareVolume(volume, pod, `${folder}/${place}`, world));
  }
  return prepared;
}

async function prepareVolume(volume: Volume, pod: Pod, folder: string, world: VolumeWorld): Promise<PreparedVolume> {
  const namespace = pod.metadata.namespace ?? "";
  if (volume.hostPath) {
    if (world.cacheFolder !== undefined && volume.hostPath.path === `${world.cacheFolder}/${namespace}`) {
      await Deno.mkdir(volume.hostPath.path, { recursive: true });
      giveToRoot(volume.hostPath.path, world.rootId);
      return { path: volume.hostPath.path, readOnly: false };
    }
    if (world.allowHostPath) return { path: volume.hostPath.path, readOnly: false };
    throw new SetupError(
      "ContainerCreating",
      `Volume "${volume.name}" mounts the folder ${volume.hostPath.path} of this machine, which requires --allow-host-path`,
    );
  }
  if (volume.image) {
    const { reference = "", pullPolicy } = volume.image;
    const pull = { policy: pullPolicy as ImagePull["policy"], secrets: await pullSecrets(pod, world.lookup) };
    return { path: await world.imageFolder(reference, pull), readOnly: true, isFixed: true };
  }
  if (volume.persistentVolumeClaim) {
    const { claimName, readOnly = false } = volume.persistentVolumeClaim;
    return { path: await world.claimFolder(namespace, claimName, pod.metadata.uid ?? ""), readOnly };
  }
  if (volume.ephemeral || volume.emptyDir || isUnspecified(volume)) {
    await Deno.mkdir(folder, { recursive: true });
    await Deno.chmod(folder, 0o777);
    giveToRoot(folder, world.rootId);
    return { path: folder, readOnly: false };
  }
  const files = await apiFiles(volume, pod, world);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.chmod(folder, 0o755);
  giveToRoot(folder, world.rootId);
  await writeVolumeFiles(folder, files, world.rootId);
  return { path: folder, readOnly: true, isFixed: true };
}

/** A volume without a source is an emptyDir. */
function isUnspecified(volume: Volume): boolean {
  return Object.entries(volume).every(([field, value]) => field === "name" || value === undefined);
}

interface ProjectedSource {
  readonly configMap?: KeySelection & { readonly name?: string };
  readonly secret?: KeySelection & { readonly name?: string };
  readonly downwardAPI?: DownwardVolume;
  readonly serviceAccountToken?: {
    readonly path: string;
    readonly audience?: string;
    readonly expirationSeconds?: number;
  };
}

interface DownwardVolume {
  readonly defaultMode?: number;
  readonly items?: readonly {
    readonly path: string;
    readonly mode?: number;
    readonly fieldRef?: { readonly fieldPath: string };
    readonly resourceFieldRef?: { readonly containerName?: string; readonly resource: string };
  }[];
}

async function apiFiles(volume: Volume, pod: Pod, world: VolumeWorld): Promise<VolumeFile[]> {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap) return await projectedFiles({ configMap }, pod, world);
  if (secret) {
    return await projectedFiles({ secret: { ...secret, name: secret.secretName } as KeySelection }, pod, world);
  }
  if (downwardAPI) return await projectedFiles({ downwardAPI: downwardAPI as DownwardVolume }, pod, world);
  if (projected) {
    const { sources = [], defaultMode } = projected as { sources?: ProjectedSource[]; defaultMode?: number };
    const files: VolumeFile[] = [];
    for (const source of sources) files.push(...await projectedFiles(withMode(source, defaultMode), pod, world));
    return files;
  }
  const kind = Object.keys(volume).find((field) => field !== "name");
  throw new SetupError(
    "ContainerCreating",
    `Volume "${volume.name}" has the unsupported type ${kind}: only a real cluster provides it`,
  );
}

function withMode(source: ProjectedSource, defaultMode: number | undefined): ProjectedSource {
  if (defaultMode === undefined) return source;
  const { configMap, secret, downwardAPI } = source;
  return {
    ...source,
    ...(configMap && { configMap: { ...configMap, defaultMode } }),
    ...(secret && { secret: { ...secret, defaultMode } }),
    ...(downwardAPI && { downwardAPI: { ...downwardAPI, defaultMode } }),
  };
}

async function projectedFiles(source: ProjectedSource, pod: Pod, world: VolumeWorld): Promise<VolumeFile[]> {
  const { metadata: { namespace = "", name = "", uid = "" }, spec } = pod;
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap) {
    const what = `configmap "${configMap.name ?? ""}"`;
    return contentFiles(await world.lookup.configMap(namespace, configMap.name ?? ""), configMap, what);
  }
  if (secret) {
    const what = `secret "${secret.name ?? ""}"`;
    return contentFiles(await world.lookup.secret(namespace, secret.name ?? ""), secret, what);
  }
  if (serviceAccountToken) {
    const { path, audience, expirationSeconds } = serviceAccountToken;
    const serviceAccount = spec.serviceAccountName ?? "default";
    const request = { namespace, serviceAccount, audience, expirationSeconds, pod: { name, uid } };
    return [{ path, bytes: new TextEncoder().encode(await world.lookup.token(request)), mode: 0o644 }];
  }
  return (downwardAPI?.items ?? []).map(({ path, mode, fieldRef, resourceFieldRef }) => {
    const text = fieldRef
      ? fieldValue(pod, fieldRef.fieldPath, world.address)
      : resourceFieldRef
      ? resourceValue(pod, resourceFieldRef.containerName ?? "", resourceFieldRef)
      : "";
    return { path, bytes: new TextEncoder().encode(text), mode: mode ?? downwardAPI?.defaultMode ?? 0o644 };
  });
}
