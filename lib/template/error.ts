/** The one error of substitution. Its message is what decides whether a node waits or fails, as in the peer. */

/** Texts that mean "not there yet"; anything else is final. */
const MISSING = ["failed to resolve {{", " is missing", "variable not in env"];

/** A tag, expression or argument that could not be resolved: the user's mistake, or a value that is not there yet. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";

  /** True when the same question may have an answer later: steps and tasks wait instead of failing. */
  get missingVariable(): boolean {
    return isMissingVariable(this.message);
  }
}

/** Says whether an error text means that a variable is missing (wait) rather than that something is wrong (fail). */
export function isMissingVariable(message: string): boolean {
  return MISSING.some((text) => message.includes(text));
}
