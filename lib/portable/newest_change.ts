/** The newest change of sources, as a name for what is built from them, so that it is built once. */

/**
 * Returns the number of sources in folders of `root`, which ends with a slash, and the time of the last change, as a
 * text for the name of a folder. Tests and benchmarks are not counted.
 */
export async function newestChange(root: string, sources: readonly string[]): Promise<string> {
  let newest = 0;
  let count = 0;
  const visit = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      const path = `${folder}/${name}`;
      if (isDirectory) await visit(path);
      else if (!/_(test|bench)\.tsx?$/.test(name)) {
        count++;
        // Awaited first, because the newest time may change while other folders are read.
        const { mtime } = await Deno.stat(path);
        newest = Math.max(newest, mtime?.getTime() ?? 0);
      }
    }
  };
  await Promise.all(sources.map((source) => visit(`${root}${source}`)));
  return `${newest.toString(36)}-${count}`;
}
