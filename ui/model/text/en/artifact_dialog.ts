/** Texts of the dialog that shows one artifact. */

/** The node that produced the artifact. */
export const producedBy = <Part>(node: Part) => ["Produced by ", node];
/** The node that the artifact is an input of. */
export const usedBy = <Part>(node: Part) => ["Used by ", node];
export const reading = "Reading …";
export const filesLabel = "Files of the artifact";
export const emptyFolder = "The folder is empty.";
/** Shown when only the first part of a file is displayed. */
export const beginning = "This is the beginning.";
export const beginningOf = (size: string) => `This is the beginning of ${size}.`;
