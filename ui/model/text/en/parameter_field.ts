/** Texts of the field of a parameter, and of its choices. */

/** Links to the documentation of parameters, below their fields. */
export const parameterDocsLink = "Docs of parameters";
export const missingValue = "A value is required.";
export const defaultValue = (value: string) => `Default: ${value}`;
/** Shown before a choice is made. */
export const chooseOne = "Choose…";
/** A choice whose value is the empty string. */
export const emptyChoice = "empty";
