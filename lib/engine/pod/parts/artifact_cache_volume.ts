/** The volume with the cache of input artifacts. Only containers that load artifacts mount it. */
import type { ArtifactLocation, Volume } from "@tiphys/model/api";
import { ARTIFACT_CACHE } from "@tiphys/model/pod";
import type { PodDraft } from "../layout.ts";
import { setEnv } from "./environment.ts";
import { addVolume, mountWhere } from "./volumes.ts";

/**
 * Adds the cache of the namespace to a pod that loads artifacts from S3, unless it has a `podSpecPatch`, which could
 * mount the cache in a container of the user, or a volume of the same name.
 */
export function addArtifactCache(draft: PodDraft): void {
  const { request, layout, pod } = draft;
  const volume = cacheVolume(draft);
  if (!volume) return;
  if ([...pod.spec.volumes ?? [], ...request.spec.volumes ?? []].some(({ name }) => name === volume.name)) return;
  addVolume(draft, volume);
  mountWhere(draft, (container) => layout.isStager(container), [{ name: volume.name, mountPath: ARTIFACT_CACHE.path }]);
  const limit = { name: ARTIFACT_CACHE.limit, value: `${request.config.artifactCache!.bytes}` };
  for (const container of [...pod.spec.initContainers ?? [], ...pod.spec.containers]) {
    if (layout.isStager(container)) setEnv(container, [limit]);
  }
}

function cacheVolume({ request, template, isSingle }: PodDraft): Volume | undefined {
  const { config: { artifactCache }, spec, workflow } = request;
  if (!artifactCache || isSingle) return undefined;
  if (spec.podSpecPatch?.trim() || template.podSpecPatch?.trim()) return undefined;
  const inS3 = (location: ArtifactLocation | undefined) => location?.s3 !== undefined;
  if (!template.inputs?.artifacts?.some(inS3)) return undefined;
  const { hostPath, claimName } = artifactCache;
  const name = ARTIFACT_CACHE.volume;
  if (claimName !== undefined) return { name, persistentVolumeClaim: { claimName } };
  if (hostPath === undefined) return undefined;
  return { name, hostPath: { path: `${hostPath}/${workflow.namespace}`, type: "DirectoryOrCreate" } };
}
