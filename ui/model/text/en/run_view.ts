/** Texts shown when the selected filters match no part of a run. */

export const noMatches = "No part matches. Remove a filter, or choose others under Parts.";
export const noFailedMatches = "No failed part matches. Press f to see all parts, or remove a filter.";
export const nothingFailed = "Nothing failed. Press f to see everything again.";
