/** Texts of the dialog that shows an artifact. */
import { grouped, listed, plural } from "../en.ts";

// The dialog that shows one artifact

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

// The view of a file, also of a file that cannot be shown

export const emptyFile = "The file is empty.";
export const unknownFormat = "This file is neither text nor an image that browsers can show.";
export const notShown = (format: string, reason = "the page cannot read it") =>
  `This ${format} file is not shown: ${reason}.`;
/** A reason why a file is not shown. */
export const cannotBeReadInParts = "it is too large to read as a whole, and the store cannot return parts of it";
/** Shows a Markdown file as it is stored. */
export const sourceToggle = "Source";
export const restInSource = "Only the beginning is formatted. The source has all of it.";
export const downloadInstead = "Download it to open it.";
export const openPdf = "Open the PDF in a new tab";
/** Allows the scripts of a report to run; `aboutScripts` is shown next to it. */
export const runScripts = "Run scripts";
export const aboutScripts = "Scripts run in isolation: they cannot access this page or your login.";
export const scriptsRun = "Scripts run in isolation: they cannot access this page or your login.";
export const moreRows = "There are more rows: download the file for all of them.";
/** Columns of a table that are not shown, each with a reason. `more` is the number of further ones. */
export const columnsLeftOut = (columns: readonly { readonly name: string; readonly reason: string }[], more: number) =>
  `Not shown: ${listed(columns.map(({ name, reason }) => `${name} (${reason})`), more)}`;
/** The number of files in an archive; a minimum unless the whole archive was read. */
export const packedFiles = (count: number, isWhole: boolean) =>
  `An archive of ${isWhole ? "" : "at least "}${plural(count, "one file", `${grouped(count)} files`)}`;
