/** The place of an artifact, from the status of its workflow. */
import type { Workflow } from "@tiphys/model/api";
import type { Place } from "@tiphys/model/artifact";
import { isFull, keyOf, LocationError, locationOfRepository, placeOf, relocate } from "@tiphys/model/artifact/location";
import { storedTemplateOf } from "@tiphys/model/status";
import { ActionError } from "@tiphys/engine/workflow_actions";
import type { ArtifactChoice } from "./service.ts";

/**
 * Returns the complete place of an artifact. One with only a key is in the repository of its workflow or template.
 * @throws {ActionError} when the workflow has no such artifact, it was deleted, or it has no place.
 */
export function completePlace(workflow: Workflow, { nodeId, artifactName, isInput }: ArtifactChoice): Place {
  const node = workflow.status?.nodes?.[nodeId];
  const artifact = (isInput ? node?.inputs : node?.outputs)?.artifacts?.find(({ name }) => name === artifactName);
  if (!node || !artifact) {
    throw new ActionError(`node ${nodeId} has no ${isInput ? "input" : "output"} artifact ${artifactName}`);
  }
  if (artifact.deleted) throw new ActionError(`artifact ${artifactName} was deleted by garbage collection`);
  try {
    const repository = locationOfRepository(workflow.status?.artifactRepositoryRef?.artifactRepository);
    const own = storedTemplateOf(workflow, node)?.archiveLocation;
    const archive = isFull(own) ? own : own && keyOf(own) !== undefined ? relocate(own, repository) : repository;
    const place = placeOf(relocate(artifact, archive));
    if (place) return place;
  } catch (error) {
    if (!(error instanceof LocationError)) throw error;
    throw new ActionError(`artifact ${artifactName}: ${error.message}`);
  }
  throw new ActionError(`artifact ${artifactName} has no store`);
}
