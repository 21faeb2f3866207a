/**
 * A mistake in a user's input: a template, an expression, a patch, a setting. The message is shown to the user, and the
 * requested operation ends. Any other error is a bug or a failure of the environment and is not attributed to the user.
 */
export class UserError extends Error {
  override readonly name: string = "UserError";
}
