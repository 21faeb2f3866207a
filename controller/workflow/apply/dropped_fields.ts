/** Fields that an API server dropped from a pod silently, because their feature gate is disabled. */
import type { Pod } from "@tiphys/model/api";
import { VOLUME } from "@tiphys/base/constants";

/** A requested field that is missing, as an event describes it. */
export interface DroppedField {
  readonly reason: "ImageVolumeDropped" | "PodLevelResourcesDropped" | "ResourceClaimsDropped";
  readonly message: string;
}

/** Compares the requested pod with the created one. */
export function droppedFields(requested: Pod, created: Pod): DroppedField[] {
  const dropped: DroppedField[] = [];
  if (keepsImageVolume(requested) && !keepsImageVolume(created)) {
    dropped.push({
      reason: "ImageVolumeDropped",
      message: "the API server dropped the image volume of a pod: its feature gate ImageVolume is off; " +
        "the pod is created in the legacy layout",
    });
  }
  if (has(requested, "resources") && !has(created, "resources")) {
    dropped.push({
      reason: "PodLevelResourcesDropped",
      message: "the API server dropped the resources of the pod: its feature gate PodLevelResources is off",
    });
  }
  if (has(requested, "resourceClaims") && !has(created, "resourceClaims")) {
    dropped.push({
      reason: "ResourceClaimsDropped",
      message:
        "the API server dropped the resource claims of the pod: its feature gate DynamicResourceAllocation is off",
    });
  }
  return dropped;
}

/** A server without image volumes reports the field if the request is strict. */
export function isImageVolumeUnknown(error: Error): boolean {
  return /unknown field "spec\.volumes\[\d+\]\.image"/.test(error.message);
}

/** Whether the volume with argoexec exists, is an image, and is mounted by every container that needs it. */
export function keepsImageVolume({ spec }: Pod): boolean {
  const volume = spec.volumes?.find(({ name }) => name === VOLUME.argoexecBin);
  if (!volume?.image) return false;
  return spec.containers.some(({ volumeMounts }) => volumeMounts?.some(({ name }) => name === VOLUME.argoexecBin));
}

function has({ spec }: Pod, field: "resources" | "resourceClaims"): boolean {
  return (spec[field] ?? undefined) !== undefined;
}
