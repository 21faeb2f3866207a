/** Texts of the colors of a graph. */

export const cpuTime = (duration: string) => `${duration} CPU`;
/** The upper limit of a shade. */
export const upTo = (measure: string) => `≤ ${measure}`;
/** Names that share one color. */
export const otherNames = (count: number) => `${count} others`;
