/** Fields that an API server left out of a pod without a word, because their feature gate is off. */
import type { Pod } from "@tiphys/model/api";
import { VOLUME } from "@tiphys/base/constants";

/** Something that was asked for and is not there, as an event tells it. */
export interface Dropped {
  readonly reason: "ImageVolumeDropped" | "PodLevelResourcesDropped" | "ResourceClaimsDropped";
  readonly message: string;
}

/** Compares the pod that was asked for with the one that was made. */
export function droppedFields(asked: Pod, made: Pod): Dropped[] {
  const dropped: Dropped[] = [];
  if (keepsImageVolume(asked) && !keepsImageVolume(made)) {
    dropped.push({
      reason: "ImageVolumeDropped",
      message: "the API server dropped the image volume of a pod: its feature gate ImageVolume is off; " +
        "the pod is made in the legacy layout",
    });
  }
  if (has(asked, "resources") && !has(made, "resources")) {
    dropped.push({
      reason: "PodLevelResourcesDropped",
      message: "the API server dropped the resources of the pod: its feature gate PodLevelResources is off",
    });
  }
  if (has(asked, "resourceClaims") && !has(made, "resourceClaims")) {
    dropped.push({
      reason: "ResourceClaimsDropped",
      message:
        "the API server dropped the resource claims of the pod: its feature gate DynamicResourceAllocation is off",
    });
  }
  return dropped;
}

/** A server from before image volumes, asked to be strict, names the field. */
export function isImageVolumeUnknown(error: Error): boolean {
  return /unknown field "spec\.volumes\[\d+\]\.image"/.test(error.message);
}

/** The volume that brings argoexec is there, it is an image, and every container that mounts it still does. */
export function keepsImageVolume({ spec }: Pod): boolean {
  const volume = spec.volumes?.find(({ name }) => name === VOLUME.argoexecBin);
  if (!volume?.image) return false;
  return spec.containers.some(({ volumeMounts }) => volumeMounts?.some(({ name }) => name === VOLUME.argoexecBin));
}

function has({ spec }: Pod, field: "resources" | "resourceClaims"): boolean {
  return (spec[field] ?? undefined) !== undefined;
}
