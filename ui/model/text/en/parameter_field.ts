/** Words of the field of a parameter, and of its choices. */

export const missingValue = "A value is needed.";
export const usualValue = (value: string) => `Usually ${value}.`;
/** A choice whose value has no letters. */
export const emptyChoice = "empty";
