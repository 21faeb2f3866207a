/**
 * Artifacts that users may delete, and the status afterwards. An artifact can be deleted when its workflow is completed
 * and the artifact is an output of one of its pods. Other artifacts at the same place are deleted with it; an artifact
 * below it prevents the deletion.
 */
import type { Artifact, NodeStatus, Workflow } from "@tiphys/model/api";
import { notOwnedReason } from "@tiphys/model/artifact_garbage";
import type { Place } from "@tiphys/model/artifact";
import { storeTextOf } from "@tiphys/model/artifact/location";
import { isCompletedPhase } from "@tiphys/model/status";
import { ActionError } from "@tiphys/engine/workflow_actions";
import { type NodeArtifact, outputArtifacts } from "./output_artifacts.ts";
import { completePlace } from "./place_of_artifact.ts";
import type { ArtifactChoice } from "./service.ts";

/** The place to delete, and the artifacts of the workflow at that place. */
export interface Removal {
  readonly place: Place;
  readonly gone: readonly NodeArtifact[];
}

/**
 * Returns the removal of an artifact.
 * @throws {ActionError} with the reason when it may not be deleted.
 */
export function createRemoval(workflow: Workflow, { nodeId, artifactName, isInput }: ArtifactChoice): Removal {
  const refused = (reason: string) => new ActionError(`artifact ${artifactName} is not deleted: ${reason}`);
  const { name, deletionTimestamp } = workflow.metadata;
  if (!isCompletedPhase(workflow.status?.phase) && deletionTimestamp === undefined) {
    throw refused(`workflow ${name} has not finished, and may still read it`);
  }
  const place = completePlace(workflow, { nodeId, artifactName, isInput });
  const gone: NodeArtifact[] = [];
  for (const other of outputArtifacts(workflow)) {
    if (other.artifact.deleted) continue;
    const location = findPlace(workflow, other);
    if (!location || storeTextOf(location) !== storeTextOf(place)) continue;
    if (keyWithoutSlash(location) === keyWithoutSlash(place)) gone.push(other);
    else if (keyWithoutSlash(location).startsWith(`${keyWithoutSlash(place)}/`)) {
      throw refused(`artifact ${other.artifact.name} of ${other.node.id} is below it: delete that one first`);
    }
  }
  const cached = gone.find(({ node }) => notOwnedReason(node) === "cached");
  if (cached) throw refused("it is from a cache and belongs to another workflow");
  if (!gone.some(({ node }) => notOwnedReason(node) === undefined)) {
    throw refused(`no pod of workflow ${name} produced it`);
  }
  return { place, gone };
}

/** Returns the workflow with these artifacts marked as deleted. */
export function withDeleted(workflow: Workflow, gone: readonly NodeArtifact[]): Workflow {
  const nodes: Record<string, NodeStatus> = { ...workflow.status?.nodes };
  for (const [id, some] of Map.groupBy(gone, ({ node }) => node.id)) {
    const node = nodes[id];
    if (!node?.outputs?.artifacts) continue;
    const names = new Set(some.map(({ artifact }) => artifact.name));
    const artifacts = node.outputs.artifacts.map((artifact): Artifact =>
      names.has(artifact.name) ? { ...artifact, deleted: true } : artifact
    );
    nodes[id] = { ...node, outputs: { ...node.outputs, artifacts } };
  }
  return { ...workflow, status: { ...workflow.status, nodes } };
}

function findPlace(workflow: Workflow, { node, artifact }: NodeArtifact): Place | undefined {
  try {
    return completePlace(workflow, { nodeId: node.id, artifactName: artifact.name });
  } catch (error) {
    if (error instanceof ActionError) return undefined;
    throw error;
  }
}

function keyWithoutSlash({ key }: Place): string {
  return key.replace(/\/$/, "");
}
