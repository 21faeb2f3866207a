/** Texts of completion and hints in the manifest editor. */

export const choicesLabel = "Completions";
export const choiceAbout = (about: string, isRequired: boolean) => isRequired ? `${about}, required` : about;
/** Describes the field at the caret or under the pointer. */
export const fieldAbout = <Part>(path: Part, type: string, isRequired: boolean) => [
  path,
  ` ${choiceAbout(type, isRequired)}`,
];
export const keysHint = "Ctrl Space completes, Ctrl F finds, F8 goes to the next problem.";
