/** A task of artifact garbage collection, in the little that is read of it here. */
import type { Artifact, ArtifactLocation } from "../../lib/api/mod.ts";
import { fieldsOf } from "../../lib/fields_of.ts";
import type { KubeObject } from "../../lib/kube/object.ts";

/** An artifact that a task wants deleted. */
export interface Wanted {
  readonly nodeId: string;
  readonly artifact: Artifact;
  /** The place of artifacts that name none. */
  readonly archive: ArtifactLocation | undefined;
}

/** The artifacts that a task names and that nobody has deleted yet; what is none is told to `skipped`. */
export function wantedOf(task: KubeObject, skipped: (what: string) => void): Wanted[] {
  const told = fieldsOf(fieldsOf(task.status).artifactResultsByNode);
  const wanted: Wanted[] = [];
  for (const [nodeId, node] of Object.entries(fieldsOf(fieldsOf(task.spec).artifactsByNode))) {
    const { archiveLocation, artifacts } = fieldsOf(node);
    const results = fieldsOf(fieldsOf(told[nodeId]).artifactResults);
    const archive = archiveLocation === undefined ? undefined : fieldsOf(archiveLocation) as ArtifactLocation;
    for (const [name, artifact] of Object.entries(fieldsOf(artifacts))) {
      if (fieldsOf(results[name]).success === true) continue;
      if (fieldsOf(artifact).name === name) wanted.push({ nodeId, artifact: artifact as Artifact, archive });
      else skipped(`spec.artifactsByNode.${nodeId}.artifacts.${name}`);
    }
  }
  return wanted;
}
