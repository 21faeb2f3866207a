/** The text of a problem without its position. */

/** Returns `PATH: MESSAGE`, or the message of a problem without a path. */
export function problemText({ path, message }: { readonly path: string; readonly message: string }): string {
  return path === "" ? message : `${path}: ${message}`;
}
