/** The places of a pod's artifacts in their stores. */
import {
  addressOf,
  hasLocationOrKey,
  hasStore,
  joinKeys,
  keyOf,
  keyOnly,
  type Place,
  placeOf,
  relocate,
  withKey,
} from "../../lib/artifact/mod.ts";
import { ExecutorError } from "../failure.ts";
import type { PodTemplate, TemplateArtifact } from "./template.ts";

const NOT_CONFIGURED =
  "artifact storage is not configured; see the docs for setup instructions: https://argo-workflows.readthedocs.io/en/latest/configure-artifact-repository/";

/** The place of an output, and the artifact that its report tells. */
export interface OutputPlace {
  readonly place: Place;
  /** The artifact of the template, with its key: whoever reads it knows the repository. */
  readonly reported: TemplateArtifact;
}

/** The place of an input: a location that is not full is completed by the pod's own repository. */
export function inputPlace(template: PodTemplate, artifact: TemplateArtifact): Place {
  return placeOf(relocated(template, artifact))!;
}

/** The place of an output: its own, or one below that of the pod's repository, under the name of its file. */
export function outputPlace(template: PodTemplate, artifact: TemplateArtifact, file: string): OutputPlace {
  const reported = keyed(template, artifact, file);
  return { place: placeOf(relocated(template, reported))!, reported };
}

function keyed({ archiveLocation }: PodTemplate, artifact: TemplateArtifact, file: string): TemplateArtifact {
  if (hasLocationOrKey(artifact)) return artifact;
  if (!hasStore(archiveLocation)) {
    throw new ExecutorError(NOT_CONFIGURED, { stage: "outputs", artifact: artifact.name });
  }
  const key = joinKeys(keyOf(archiveLocation) ?? "", file);
  return hasStore(artifact) ? withKey(artifact, key) : { ...artifact, ...keyOnly(archiveLocation!, key) };
}

/**
 * The place that a data template lists: an artifact that names no store lies where the pod's other artifacts go, and one
 * that names a store and no key is all that is there.
 */
export function listedPlace(template: PodTemplate, artifact: TemplateArtifact): Place {
  if (!hasStore(artifact)) return archivePlace(template, artifact);
  if (addressOf(artifact)) return inputPlace(template, artifact);
  // What a location lacks is added for a key only, so it has one until that is done.
  const keyed = withKey(artifact, "all");
  const place = inputPlace(template, keyed);
  return keyOf(keyed) === undefined ? place : { ...place, key: "" };
}

function archivePlace(template: PodTemplate, artifact: TemplateArtifact): Place {
  const place = placeOf(template.archiveLocation);
  if (!place) throw new ExecutorError(NOT_CONFIGURED, { artifact: artifact.name });
  return place;
}

/**
 * The artifact with its whole location: one that says a key only lies where the pod's other artifacts go.
 * @throws {LocationError} when it cannot lie there.
 */
function relocated(template: PodTemplate, artifact: TemplateArtifact): TemplateArtifact {
  const { archiveLogs: _, ...archive } = template.archiveLocation ?? {};
  return hasStore(archive) ? relocate(artifact, archive) : artifact;
}
