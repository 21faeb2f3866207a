/** Words of the editor of a manifest. */
import { plural } from "../en.ts";

export const noProblems = "No problems";
export const problemsLabel = "Problems";
export const problemsHeading = (count: number) => `${count} ${plural(count, "problem", "problems")}`;
/** A problem, where it is marked in the text. */
export const problemAt = (path: string, message: string) => path === "" ? message : `${path} ${message}`;
export const howToLeave = "Tab moves a line in. Escape, then Tab, leaves the text.";
/** The list of places to go to, and its first line. */
export const sectionsField = "Go to";
export const templateSection = (name: string) => `template ${name}`;
/** The button that writes the manifest the other way. */
export const writeAsButton = (format: string) => `Write as ${format}`;
export const commentsLeft = "JSON has no comments: those of this text come back when it is written as YAML.";
export const commentsLost = "The comments could not be kept: Undo (Ctrl Z) brings the former text back.";
export const tooLongToCheck = "This text has more than 2 MB: it is not checked, and a cluster takes no such object.";
export const tooLongForColours = "This text has more than 1 MB: it is shown without colours.";
