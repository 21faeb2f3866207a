/** Words of the dialog that shows one artifact. */

/** The node that an artifact comes from. */
export const putOutBy = <Part>(node: Part) => ["Put out by ", node];
/** The node that an artifact goes into. */
export const takenInBy = <Part>(node: Part) => ["Taken in by ", node];
export const reading = "Reading …";
export const filesLabel = "Files of the artifact";
export const emptyFolder = "The folder is empty.";
/** Said of a file of which not everything is shown. */
export const beginning = "This is the beginning.";
export const beginningOf = (size: string) => `This is the beginning of ${size}.`;
