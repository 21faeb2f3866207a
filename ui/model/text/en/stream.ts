/** Words of the stream that all tabs share, about what it no longer tells. */

export const tooManyFollowed = (most: number) => `this browser follows ${most} things already`;
export const isSilent = "the server is silent";
export const stateMissed = "a change of a state that was not told";
