/** Words of what is said where the choices of the parts of a run leave none. */

export const noneIsLikeThat = "No part matches.";
export const noFailedIsLikeThat = "Nothing that failed is like that.";
export const nothingFailed = "Nothing failed. Press f to see everything again.";
