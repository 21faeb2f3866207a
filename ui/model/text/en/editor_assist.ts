/** Words of the help while somebody types in the editor. */

export const choicesLabel = "What may stand here";
export const choiceAbout = (about: string, isRequired: boolean) => isRequired ? `${about}, required` : about;
/** What the field is, at the caret or under the pointer. */
export const fieldAbout = <Part>(path: Part, type: string, isRequired: boolean) => [
  path,
  ` ${choiceAbout(type, isRequired)}`,
];
export const howToAsk = "Ctrl Space shows what may stand at the caret, Ctrl F finds, F8 goes to the next problem.";
