/** Something wrong with one field of an object. */
export interface FieldError {
  /** The path of the field, as `spec.templates[2].steps[0][1].template`; empty for the object as a whole. */
  readonly path: string;
  /** The message, in words that fit behind the path and a colon. */
  readonly message: string;
}

/** One line for an error: its place, then what is wrong. */
export function formatFieldError(error: FieldError): string {
  return error.path === "" ? error.message : `${error.path}: ${error.message}`;
}
