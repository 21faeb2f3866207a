/** Texts of why the stream that all tabs share stopped reporting changes. */

export const tooManyFollowed = (max: number) => `this browser already follows ${max} streams`;
export const isSilent = "the server sends nothing";
export const stateMissed = "a state change was missed";
