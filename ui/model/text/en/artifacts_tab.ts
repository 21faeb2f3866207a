/** Words of the list of the artifacts that the nodes of a run put out. */

export const noneYet = "No node has put out an artifact. What a step leaves in a file is kept by outputs.artifacts.";
export const artifactField = "Artifact";
/** The node that an artifact comes from. */
export const putOutByField = "Put out by";
/** The name under which an artifact is stored. */
export const keyField = "In its store";
export const whenField = "When";
export const isDeleted = "deleted from its store";
