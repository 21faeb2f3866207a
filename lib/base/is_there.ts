/** A look at a path of this machine. */

/** Whether something lies there: a file, a folder, or a link, wherever that leads. */
export function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
    throw error;
  }
}
