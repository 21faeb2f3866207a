/** Words of the bar of actions on the runs that are selected. */

export const barLabel = "Actions on the selected runs";
/** Why the button of an action is off. */
export const noRunFits = "None of the selected runs is in a state for this";
/** Takes the selection back. */
export const clearButton = "Clear";
