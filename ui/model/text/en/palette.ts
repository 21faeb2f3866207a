/** Texts of the list of the palette. */
import { grouped } from "../en.ts";

/** The actions that match the typed text. */
export const foundActionsLabel = "Matching actions";
export const nothingFound = "No matches. Try a part of the name.";
/** Groups of results. */
export const actionsGroup = "Actions";
export const nodesGroup = "Nodes of this run";
export const runsGroup = "Runs";
export const templatesGroup = "Templates";
export const clusterTemplatesGroup = "Cluster templates";
export const schedulesGroup = "Schedules";
export const moreOfGroup = (group: string, more: number) => `${group}, and ${grouped(more)} more`;
