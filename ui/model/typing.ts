/** The time without a key after which nobody is taken to type any more. */
export const TYPING_MILLIS = 150;
