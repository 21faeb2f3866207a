/** Texts of the sort orders of a list of runs, and of the active filters. */

export const newestStartOrder = "Newest first";
export const oldestStartOrder = "Oldest first";
export const newestEndOrder = "Finished last";
export const oldestEndOrder = "Finished first";
export const longestOrder = "Longest first";
export const shortestOrder = "Shortest first";
export const nameOrder = "Name, A to Z";
export const nameBackwardsOrder = "Name, Z to A";

export const phaseChip = (phase: string) => `phase: ${phase}`;
/** A filter by an unknown phase. */
export const unknownPhaseChip = (chip: string) => `${chip}: not a phase, ignored`;
export const labelChip = (label: string) => `label: ${label}`;
export const nameContainsChip = (text: string) => `name contains ${text}`;
export const nameBeginsChip = (text: string) => `name begins with ${text}`;
export const nameIsChip = (text: string) => `name is ${text}`;
export const nameIsNotChip = (text: string) => `name is not ${text}`;
export const createdAfterChip = (moment: string) => `created after ${moment}`;
export const startedFromChip = (moment: string) => `started from ${moment}`;
export const startedUntilChip = (moment: string) => `started until ${moment}`;
/** A filter by a time that cannot be parsed. */
export const invalidTimeChip = (chip: string) => `${chip}: not a time, ignored`;
export const finishedBeforeChip = (moment: string) => `finished before ${moment}`;
