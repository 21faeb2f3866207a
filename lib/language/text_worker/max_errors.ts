/** The maximum number of errors that a check returns; callers show three. */
export const MAX_ERRORS = 10;
