/** An action that the workflow's state, or what was asked for, does not allow; the message is for the person who asked. */
export class ActionError extends Error {
  override name = "ActionError";
}
