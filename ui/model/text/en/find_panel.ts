/** Texts of the search within a manifest. */

export const label = "Find in the manifest";
export const findField = "Find";
export const nextButton = "Next";
export const previousButton = "Previous";
export const caseField = "Match case";
export const replaceField = "Replace with";
export const replaceButton = "Replace";
export const replaceAllButton = "Replace all";
export const closeButton = "Close the search";
