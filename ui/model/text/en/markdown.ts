/** Words of what an object says of itself in its annotations. */

/** The line that unfolds a long description of a run without a title. */
export const aboutRun = "About this run";
