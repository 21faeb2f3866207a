/** Texts of why the stream that all tabs share stopped reporting changes. */

export const tooManyFollowed = (most: number) => `this browser already follows ${most} streams`;
export const isSilent = "the server sends nothing";
export const stateMissed = "a state change was missed";
