/** Texts of the resources that a run used. */

/** Resource use: a duration, and one unit of the resource. */
export const resourceUse = (duration: string, unit: string) => `${duration} of ${unit}`;
/** A use of less than a second of each resource. */
export const negligibleUse = "less than a second of each resource";
export const cpuUnit = "a CPU";
export const memoryUnit = "a GiB of memory";
export const storageUnit = "a GiB of storage";
export const ephemeralStorageUnit = "a GiB of ephemeral storage";
