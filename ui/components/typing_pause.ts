/** The pause of an editor: what takes longer than a key may is done when nobody types any more. */

/** The time without a key after which nobody is taken to type any more. */
export const TYPING_MILLIS = 150;
