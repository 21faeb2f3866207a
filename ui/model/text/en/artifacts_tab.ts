/** Words of the tab of the artifacts of a run. */

export const noneYet =
  "No node has output artifacts. To keep a file of a step, declare it in outputs.artifacts of its template.";
export const artifactField = "Artifact";
/** The node that an artifact comes from. */
export const putOutByField = "Put out by";
/** The name under which an artifact is stored. */
export const keyField = "In its store";
export const whenField = "When";
export const isDeleted = "deleted from its store";
