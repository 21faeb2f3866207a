/** Errors that end a node, told from those that do not. */
import { isStackOverflow } from "@tiphys/base/overflow";
import { UserError } from "@tiphys/base/user_error";

/**
 * The message of an error that the author of the workflow made (an expression that fails, a template that is not
 * there): it ends the node. Everything else is thrown on: a limit that ends the whole workflow, and a mistake of our own,
 * which is loud and is never shown as the author's.
 */
export function messageOf(error: unknown): string {
  if (error instanceof UserError) return error.message;
  if (isStackOverflow(error)) return TOO_DEEP;
  throw error;
}

/**
 * A user's mistake may be passed over by who calls this with the error; a mistake of ours never is.
 * @throws {Error} the error itself, unless it is one that `messageOf` has words for.
 */
export function passOver(error: unknown): void {
  messageOf(error);
}

/** The message where something is nested so deeply that walking down takes all of the stack. */
export const TOO_DEEP = "what it is made of is nested too deeply, or leads back to itself";
