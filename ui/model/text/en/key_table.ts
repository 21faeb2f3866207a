/** Texts of keys. */

export const spaceKey = "Space";
