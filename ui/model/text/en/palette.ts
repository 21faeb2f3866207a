/** Words of the list of the palette. */
import { grouped } from "../en.ts";

/** The actions that have what was typed. */
export const foundActionsLabel = "What can be done";
export const nothingFound = "No matches.";
/** The groups of what was found. */
export const actionsGroup = "Actions";
export const nodesGroup = "Nodes of this run";
export const runsGroup = "Runs";
export const templatesGroup = "Templates";
export const clusterTemplatesGroup = "Templates of the cluster";
export const schedulesGroup = "Schedules";
export const moreOfGroup = (group: string, more: number) => `${group}, and ${grouped(more)} more`;
