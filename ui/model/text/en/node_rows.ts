/** Texts of the tree and the timeline of nodes. */
import { grouped } from "../en.ts";

export const nodeColumn = "Node";
export const templateColumn = "Template";
export const timelineLabel = "Timeline of nodes";
export const treeLabel = "Tree of nodes";
/** The screen-reader text of a node. */
export const nodeLabel = (phase: string, name: string, children: number | undefined) =>
  `${phase} ${name}${children === undefined ? "" : ` ×${grouped(children)}`}`;
/** The children of a group. */
export const fanOut = (children: number, failed: number) =>
  `×${grouped(children)}${failed > 0 ? `, ${grouped(failed)} failed` : ""}`;
/** The screen-reader text of a node's bar, with the stages of its time if known. */
export const barLabel = (phase: string, duration: string, stages: string | undefined) =>
  `${phase} ${duration}${stages === undefined ? "" : `: ${stages}`}`;
