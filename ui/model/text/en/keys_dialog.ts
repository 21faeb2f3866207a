/** Texts of the dialog that lists the keys. */

export const heading = "Keys";
export const searchAction = "Search, or run an action";
export const lettersAct = "Single-letter keys act while you are not typing.";
export const lettersAreOff = "Single-letter keys are turned off.";
export const settingsLink = "Settings";
export const helpLink = "Help";
