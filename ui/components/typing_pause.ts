/** The typing pause of an editor: slow work runs when the user stops typing. */

/** The time after a key stroke for which the user is considered to be typing. */
export const TYPING_MILLIS = 150;
