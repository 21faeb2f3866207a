/** Words of moments, as they are seen from now. */

export const now = "now";
export const ago = (duration: string) => `${duration} ago`;
export const ahead = (duration: string) => `in ${duration}`;
