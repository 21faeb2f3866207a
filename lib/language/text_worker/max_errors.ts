/** Errors that a check returns: callers show three. */
export const MAX_ERRORS = 10;
