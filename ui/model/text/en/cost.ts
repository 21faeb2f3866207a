/** Words of what a run used. */

/** The use of a resource: for how long, and of what. */
export const useOf = (duration: string, unit: string) => `${duration} of ${unit}`;
export const cpuUnit = "a CPU";
export const memoryUnit = "a GiB of memory";
export const storageUnit = "a GiB of storage";
export const ephemeralStorageUnit = "a GiB of ephemeral storage";
