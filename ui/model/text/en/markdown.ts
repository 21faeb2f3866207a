/** Texts of the title and description that an object has in its annotations. */

/** Unfolds the long description of a run without a title. */
export const aboutRun = "About this run";
