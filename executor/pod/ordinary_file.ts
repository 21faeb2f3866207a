/** A check that a path is a regular file or a folder. */

/**
 * Reports whether a path exists, after links are followed.
 * @throws {Error} for a pipe, socket or device, because reading one may never end.
 */
export async function isRegularFile(file: string): Promise<boolean> {
  try {
    const { isFile, isDirectory } = await Deno.stat(file);
    if (!isFile && !isDirectory) throw new Error(`Expected a file or a folder, got a pipe, socket or device: ${file}`);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
