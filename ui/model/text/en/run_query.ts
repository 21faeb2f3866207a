/** Words of the orders of a list of runs, and of the filters that are in force. */

export const newestStartOrder = "Newest start first";
export const oldestStartOrder = "Oldest start first";
export const newestEndOrder = "Newest end first";
export const oldestEndOrder = "Oldest end first";
export const longestOrder = "Longest first";
export const shortestOrder = "Shortest first";
export const nameOrder = "By name";
export const nameBackwardsOrder = "By name, from the end";

export const phaseChip = (phase: string) => `phase: ${phase}`;
export const labelChip = (label: string) => `label: ${label}`;
export const nameContainsChip = (text: string) => `name contains ${text}`;
export const nameBeginsChip = (text: string) => `name begins with ${text}`;
export const nameIsChip = (text: string) => `name is ${text}`;
export const nameIsNotChip = (text: string) => `name is not ${text}`;
export const createdAfterChip = (moment: string) => `created after ${moment}`;
export const finishedBeforeChip = (moment: string) => `finished before ${moment}`;
