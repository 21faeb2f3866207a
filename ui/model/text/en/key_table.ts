/** Words on keys. */

export const spaceKey = "Space";
