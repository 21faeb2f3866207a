/** Texts of the manifest editor. */
import { plural } from "../en.ts";

export const noProblems = "No problems";
export const problemsLabel = "Problems";
export const problemsHeading = (count: number) => `${count} ${plural(count, "problem", "problems")}`;
/** A problem with its path, next to the text that has it. */
export const problemAt = (path: string, message: string) => path === "" ? message : `${path} ${message}`;
export const leaveHint = "Tab indents a line. Press Escape, then Tab to leave the editor.";
/** The list of sections to go to, and its first entry. */
export const sectionsField = "Go to";
export const templateSection = (name: string) => `template ${name}`;
/** Converts the manifest to the other format. */
export const convertButton = (format: string) => `Convert to ${format}`;
export const commentsLeft = "JSON has no comments: the comments return when you convert the text to YAML.";
export const commentsLost = "The comments were lost: press Ctrl Z to restore the previous text.";
export const tooLongToCheck = "The text is larger than 2 MB: it is not checked, and a cluster would reject it.";
export const tooLongForColours = "The text is larger than 1 MB: it is shown without syntax colors.";
