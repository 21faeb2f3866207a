/** Texts of the manifest editor. */
import { plural } from "../en.ts";

// The manifest editor

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

// Completion and hints in the manifest editor

export const choicesLabel = "Completions";
export const choiceAbout = (about: string, isRequired: boolean) => isRequired ? `${about}, required` : about;
/** Describes the field at the caret or under the pointer. */
export const fieldAbout = <Part>(path: Part, type: string, isRequired: boolean) => [
  path,
  ` ${choiceAbout(type, isRequired)}`,
];
/** Links to the documentation of the field. */
export const fieldDocsLink = "Docs";
export const keysHint = "Ctrl Space completes, Ctrl F finds, F8 goes to the next problem.";

// The search within a manifest

export const findLabel = "Find in the manifest";
export const findField = "Find";
export const nextButton = "Next";
export const previousButton = "Previous";
export const caseField = "Match case";
export const replaceField = "Replace with";
export const replaceButton = "Replace";
export const replaceAllButton = "Replace all";
export const closeButton = "Close the search";

// The types that a field of a manifest accepts

export const text = "text";
export const texts = "texts";
export const wholeNumber = "whole number";
export const wholeNumbers = "whole numbers";
export const number = "number";
export const numbers = "numbers";
export const trueOrFalse = "true or false";
export const object = "object";
export const objects = "objects";
export const list = "list";
export const lists = "lists";
export const nothing = "nothing";
export const anything = "anything";

export const either = (kinds: readonly string[]) => kinds.join(" or ");
export const always = (value: string) => `always ${value}`;
export const oneOf = (values: readonly string[]) => `one of ${values.join(", ")}`;
export const listOf = (kinds: string) => `list of ${kinds}`;

// The page of the editor

export const dryRunButton = "Dry run";
/** Restores the original text. */
export const resetButton = "Reset";
/** Shows the graph next to the text. */
export const graphToggle = "Graph";
export const openFileButton = "Open a file…";
export const fixProblemsFirst = "Fix the problems first";
/** Shown for a path of the manifest that somebody else changed as well. */
export const cannotBeSet = (place: string) => `${place} cannot be set in this text: set it manually`;

// Conflicts with a change that somebody else saved

export const mergeHeading = "It was changed in the meantime";
export const mergedIntro = "Their changes were merged into your text:";
export const conflictsIntro = "You both changed these fields; your values are kept unless you take theirs:";
export const yours = "yours";
export const theirs = "theirs";
/** The value of a field that one side removed. */
export const removedValue = "removed";
export const takeTheirsButton = "Take theirs";
export const nothingSaved = (button: string) => `Nothing was saved. Check the text, and press ${button} again.`;
