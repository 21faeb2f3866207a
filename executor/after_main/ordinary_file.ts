/** The check that a file which main left is an ordinary one, with an end. */

/**
 * Whether something is there to be read, links followed.
 * @throws {Error} for what may never end: a pipe, a socket, a device.
 */
export async function isOrdinary(file: string): Promise<boolean> {
  try {
    const { isFile, isDirectory } = await Deno.stat(file);
    if (!isFile && !isDirectory) throw new Error(`Expected a file or a folder, got a pipe, socket or device: ${file}`);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
