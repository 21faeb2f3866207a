/** Words of a file that is shown, or that is not. */
import { grouped, listed, plural } from "../en.ts";

export const emptyFile = "The file is empty.";
export const unknownFormat = "This is no text and no picture that browsers know.";
export const notShown = (format: string, reason = "the page does not read it") =>
  `This is a ${format} file, and not shown, as ${reason}.`;
/** A reason not to show a file. */
export const cannotBeReadInParts = "it is too large to be read whole, and parts of it cannot be asked for";
export const downloadInstead = "Download it to look at it.";
export const openPdf = "Open the PDF in a new tab";
/** Lets the scripts of a report run; what that means stands beside it. */
export const runScripts = "Run its scripts";
export const aboutScripts = "They run apart: they see neither this page nor who you are.";
export const scriptsRun = "Its scripts run apart: they see neither this page nor who you are.";
export const moreRows = "There are more rows: download the file for all of them.";
/** Columns of a table that are not shown, each with its reason; `more` are counted only. */
export const columnsLeftOut = (columns: readonly { readonly name: string; readonly reason: string }[], more: number) =>
  `Not shown: ${listed(columns.map(({ name, reason }) => `${name} (${reason})`), more)}`;
/** How many files an archive has; so many at least, where not all of it was read. */
export const packedFiles = (count: number, isWhole: boolean) =>
  `A packed archive of ${isWhole ? "" : "at least "}${plural(count, "one file", `${grouped(count)} files`)}`;
