/** An error in one field of an object. */
export interface FieldError {
  /** The path of the field, as `spec.templates[2].steps[0][1].template`; empty for the object as a whole. */
  readonly path: string;
  /** The message that follows the path and a colon. */
  readonly message: string;
}

/** Returns one line with the path, if any, and the message. */
export function formatFieldError(error: FieldError): string {
  return error.path === "" ? error.message : `${error.path}: ${error.message}`;
}
