/** Texts of the resources that a run used, and of their cost. */

// The resources that a run used

/** Resource use: a duration, and one unit of the resource. */
export const resourceUse = (duration: string, unit: string) => `${duration} of ${unit}`;
/** A use of less than a second of each resource. */
export const negligibleUse = "less than a second of each resource";
export const cpuUnit = "a CPU";
export const memoryUnit = "a GiB of memory";
export const storageUnit = "a GiB of storage";
export const ephemeralStorageUnit = "a GiB of ephemeral storage";

// The cost of a run

export const nothingUsed = "No pod has reported its resource use yet. Pods report it when they finish.";
export const templateColumn = "Template";
export const podsColumn = "Pods";
export const shareColumn = "Share";
/** A share of the total, such as 0.5. */
export const share = (share: number) => share > 0 && share < 0.005 ? "< 1 %" : `${Math.round(share * 100)} %`;
export const shareLabel = (template: string) => `Share of ${template}`;
export const sumRow = "Total";
export const idleFor = (duration: string) => `No pod was running for ${duration}.`;
