/** A task of artifact garbage collection, with the fields that the executor reads. */
import type { Artifact, ArtifactLocation } from "@tiphys/model/api";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube/object";

/** An artifact that a task requests to delete. */
export interface Deletion {
  readonly nodeId: string;
  readonly artifact: Artifact;
  /** The location for artifacts without a location. */
  readonly archive: ArtifactLocation | undefined;
}

/**
 * Returns the artifacts of a task that have not been deleted yet. The path of each invalid entry is passed to
 * `skipped`.
 */
export function deletionsOf(task: KubeObject, skipped: (subject: string) => void): Deletion[] {
  const reported = fieldsOf(fieldsOf(task.status).artifactResultsByNode);
  const deletions: Deletion[] = [];
  for (const [nodeId, node] of Object.entries(fieldsOf(fieldsOf(task.spec).artifactsByNode))) {
    const { archiveLocation, artifacts } = fieldsOf(node);
    const results = fieldsOf(fieldsOf(reported[nodeId]).artifactResults);
    const archive = archiveLocation === undefined ? undefined : fieldsOf(archiveLocation) as ArtifactLocation;
    for (const [name, artifact] of Object.entries(fieldsOf(artifacts))) {
      if (fieldsOf(results[name]).success === true) continue;
      if (fieldsOf(artifact).name === name) deletions.push({ nodeId, artifact: artifact as Artifact, archive });
      else skipped(`spec.artifactsByNode.${nodeId}.artifacts.${name}`);
    }
  }
  return deletions;
}
