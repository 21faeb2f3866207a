/** Words of the orders of a list of runs, and of the filters that are in force. */

export const newestStartOrder = "Not started, then newest start";
export const oldestStartOrder = "Oldest start, then not started";
export const newestEndOrder = "Not over, then newest end";
export const oldestEndOrder = "Oldest end, then not over";
export const longestOrder = "Longest first";
export const shortestOrder = "Shortest first";
export const nameOrder = "By name";
export const nameBackwardsOrder = "By name, from the end";

export const phaseChip = (phase: string) => `phase: ${phase}`;
/** A filter by a phase that there is none of: it is not in force. */
export const noPhaseChip = (chip: string) => `${chip}: no phase, not in force`;
export const labelChip = (label: string) => `label: ${label}`;
export const nameContainsChip = (text: string) => `name contains ${text}`;
export const nameBeginsChip = (text: string) => `name begins with ${text}`;
export const nameIsChip = (text: string) => `name is ${text}`;
export const nameIsNotChip = (text: string) => `name is not ${text}`;
export const createdAfterChip = (moment: string) => `created after ${moment}`;
/** A filter by a time whose text is none: it is not in force. */
export const noTimeChip = (chip: string) => `${chip}: no time, not in force`;
export const finishedBeforeChip = (moment: string) => `finished before ${moment}`;
