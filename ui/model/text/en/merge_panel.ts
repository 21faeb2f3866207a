/** Words for who saves what somebody else saved meanwhile. */

export const heading = "Somebody changed it meanwhile";
export const takenIntro = "What they changed stands in your text now:";
export const conflictsIntro = "You both changed this; yours stays unless you take theirs:";
export const yours = "yours";
export const theirs = "theirs";
/** The value of a field that one of the two has removed. */
export const takenAway = "taken away";
export const takeTheirsButton = "Take theirs";
export const nothingSaved = (button: string) => `Nothing was saved. Look at the text, and press ${button} again.`;
