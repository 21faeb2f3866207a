/** Texts of the tree and the timeline of nodes. */

export const nodeColumn = "Node";
export const templateColumn = "Template";
export const timelineLabel = "Timeline of nodes";
export const treeLabel = "Tree of nodes";
/** The screen-reader text of a node. */
export const spokenNode = (phase: string, name: string) => `${phase} ${name}`;
/** The screen-reader text of a node's bar, with the stages of its time if known. */
export const barLabel = (phase: string, duration: string, stages: string | undefined) =>
  `${phase} ${duration}${stages === undefined ? "" : `: ${stages}`}`;
