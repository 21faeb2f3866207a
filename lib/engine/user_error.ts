/** Distinguishes user errors, which end a node, from defects of the engine. */
import { isStackOverflow } from "@tiphys/base/overflow";
import { UserError } from "@tiphys/base/user_error";

/**
 * Returns the message of an error in the workflow (an expression that fails, a template that does not exist), which
 * ends the node.
 * @throws {Error} every other error: a limit, which ends the workflow, or a defect, which must not be reported as the
 * author's mistake.
 */
export function userErrorMessage(error: unknown): string {
  if (error instanceof UserError) return error.message;
  if (isStackOverflow(error)) return TOO_DEEP;
  throw error;
}

/**
 * Ignores a user error.
 * @throws {Error} the error itself, unless `messageOf` returns a message for it.
 */
export function ignoreUserError(error: unknown): void {
  userErrorMessage(error);
}

/** The message for a stack overflow, caused by deep or cyclic nesting. */
export const TOO_DEEP = "the value is nested too deeply, or contains itself";
