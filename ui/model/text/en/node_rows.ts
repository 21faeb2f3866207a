/** Words of the tree and of the timeline of nodes. */

export const nodeColumn = "Node";
export const templateColumn = "Template";
export const timelineLabel = "Timeline of nodes";
export const treeLabel = "Tree of nodes";
/** A node by its phase and its name, for who hears it. */
export const spokenNode = (phase: string, name: string) => `${phase} ${name}`;
/** What the bar of a node shows, to who does not see it; with the stages of its time, where they are known. */
export const barLabel = (phase: string, duration: string, stages: string | undefined) =>
  `${phase} ${duration}${stages === undefined ? "" : `: ${stages}`}`;
