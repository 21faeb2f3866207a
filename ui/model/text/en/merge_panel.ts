/** Texts for resolving a conflict with a change that somebody else saved. */

export const heading = "It was changed in the meantime";
export const mergedIntro = "Their changes were merged into your text:";
export const conflictsIntro = "You both changed these fields; your values are kept unless you take theirs:";
export const yours = "yours";
export const theirs = "theirs";
/** The value of a field that one side removed. */
export const removedValue = "removed";
export const takeTheirsButton = "Take theirs";
export const nothingSaved = (button: string) => `Nothing was saved. Check the text, and press ${button} again.`;
