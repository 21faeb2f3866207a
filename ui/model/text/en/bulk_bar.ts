/** Texts of the toolbar for the selected runs. */

export const barLabel = "Actions on the selected runs";
/** The reason why the button of an action is disabled. */
export const actionNotApplicable = "This action does not apply to any selected run";
/** Clears the selection. */
export const clearButton = "Clear";
