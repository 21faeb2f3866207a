/**
 * The message of an error that the author of the workflow made (an expression that fails, a template that is not
 * there): it ends the node. A mistake of our own is thrown on, to be counted and shown as one.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof ReferenceError) throw error;
  return error.message;
}
