/** Texts of times relative to now. */

export const now = "now";
export const ago = (duration: string) => `${duration} ago`;
export const ahead = (duration: string) => `in ${duration}`;
