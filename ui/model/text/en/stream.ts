/** Texts of why the stream that all tabs share stopped reporting changes. */

export const tooManyFollowed = (most: number) => `this browser follows ${most} things already`;
export const isSilent = "the server is silent";
export const stateMissed = "a state change was missed";
