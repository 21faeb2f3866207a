/** The locations of a pod's artifacts in their stores. */
import type { Place } from "@tiphys/model/artifact";
import {
  addressOf,
  hasLocationOrKey,
  joinKeys,
  keyOf,
  keyOnly,
  placeOf,
  relocate,
  withKey,
} from "@tiphys/model/artifact/location";
import { hasStore } from "@tiphys/model/artifact/stores";
import { ExecutorError } from "../failure.ts";
import type { PodTemplate, TemplateArtifact } from "./template.ts";

const NOT_CONFIGURED =
  "artifact storage is not configured; see the docs for setup instructions: https://argo-workflows.readthedocs.io/en/latest/configure-artifact-repository/";

/** The location of an output, and the artifact to report. */
export interface OutputLocation {
  readonly place: Place;
  /** The artifact of the template with its key. The repository is omitted, because readers of the report know it. */
  readonly reported: TemplateArtifact;
}

/** Returns the location of an input. An incomplete location is completed from the pod's artifact repository. */
export function inputLocation(template: PodTemplate, artifact: TemplateArtifact): Place {
  return placeOf(relocateArtifact(template, artifact))!;
}

/**
 * Returns the location of an output: its own, or a key below that of the pod's repository with the name of its file.
 */
export function outputLocation(template: PodTemplate, artifact: TemplateArtifact, file: string): OutputLocation {
  const reported = setDefaultKey(template, artifact, file);
  return { place: placeOf(relocateArtifact(template, reported))!, reported };
}

function setDefaultKey({ archiveLocation }: PodTemplate, artifact: TemplateArtifact, file: string): TemplateArtifact {
  if (hasLocationOrKey(artifact)) return artifact;
  if (!hasStore(archiveLocation)) {
    throw new ExecutorError(NOT_CONFIGURED, { stage: "outputs", artifact: artifact.name });
  }
  const key = joinKeys(keyOf(archiveLocation) ?? "", file);
  return hasStore(artifact) ? withKey(artifact, key) : { ...artifact, ...keyOnly(archiveLocation!, key) };
}

/**
 * Returns the location that a data template lists. An artifact without a store is listed in the pod's repository. One
 * with a store but without a key means the whole store.
 */
export function placeToList(template: PodTemplate, artifact: TemplateArtifact): Place {
  if (!hasStore(artifact)) return archiveLocation(template, artifact);
  if (addressOf(artifact)) return inputLocation(template, artifact);
  // `relocate` completes only locations with a key, so a temporary key is set.
  const keyed = withKey(artifact, "all");
  const place = inputLocation(template, keyed);
  return keyOf(keyed) === undefined ? place : { ...place, key: "" };
}

function archiveLocation(template: PodTemplate, artifact: TemplateArtifact): Place {
  const place = placeOf(template.archiveLocation);
  if (!place) throw new ExecutorError(NOT_CONFIGURED, { artifact: artifact.name });
  return place;
}

/**
 * Returns the artifact with its complete location. An artifact with only a key is resolved against the template's
 * archive location.
 * @throws {LocationError} when the location is invalid.
 */
function relocateArtifact(template: PodTemplate, artifact: TemplateArtifact): TemplateArtifact {
  const { archiveLogs: _, ...archive } = template.archiveLocation ?? {};
  return hasStore(archive) ? relocate(artifact, archive) : artifact;
}
