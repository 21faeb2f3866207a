/** Texts shown when the selected filters match no part of a run. */

export const noneIsLikeThat = "No part matches.";
export const noFailedIsLikeThat = "No failed part matches.";
export const nothingFailed = "Nothing failed. Press f to see everything again.";
