/** Texts of the tab that lists the artifacts of a run. */

export const noneYet =
  "No node has output artifacts. To keep a file of a step, declare it in outputs.artifacts of its template.";
export const artifactField = "Artifact";
/** The node that produced the artifact. */
export const producedByField = "Produced by";
/** The key of the artifact in its store. */
export const keyField = "Location";
export const whenField = "Created";
export const isDeleted = "deleted from its store";
