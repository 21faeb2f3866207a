/** The typing pause of an editor: slow work runs when the user stops typing. */

/** How long after a key stroke the user is considered to have stopped typing. */
export const TYPING_MILLIS = 150;
