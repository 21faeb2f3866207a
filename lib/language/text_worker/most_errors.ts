/** Errors that a check returns: callers show three. */
export const MOST_ERRORS = 10;
