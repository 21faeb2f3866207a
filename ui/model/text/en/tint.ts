/** Words of the colours of a graph. */

export const cpuTime = (duration: string) => `${duration} CPU`;
/** What a shade of much and little stands for. */
export const upTo = (measure: string) => `≤ ${measure}`;
/** The names that have no hue of their own. */
export const otherNames = (count: number) => `${count} others`;
