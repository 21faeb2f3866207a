/** Words of the form of a node that waits for a person. */

export const formLabel = (node: string) => `${node} waits for you`;
export const resumeButton = "Resume this node";
export const resumingButton = "Resuming…";
