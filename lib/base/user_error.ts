/**
 * A mistake in what a user wrote: a template, an expression, a patch, a setting. Its message is for the user and ends what
 * the user asked for. Any other error is a mistake of ours, or the world's trouble, and is never shown as the user's.
 */
export class UserError extends Error {
  override readonly name: string = "UserError";
}
