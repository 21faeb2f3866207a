/**
 * Error for an action that the workflow's state or the request's arguments do not allow. The message is for the user.
 */
export class ActionError extends Error {
  override name = "ActionError";
}
