/** Words of the dialog that shows the keys. */

export const heading = "Keys";
export const searchAction = "Search, or do something";
export const lettersAct = "Letters act while nobody types.";
export const lettersAreOff = "Single letters are switched off.";
export const settingsLink = "Settings";
export const helpLink = "Help";
