/** The newest change of sources: the name of what is made from them, so that it is made once. */

/**
 * The number of sources in folders of `root`, which ends with a slash, and the time of the last change of one, as a text for
 * the name of the folder. Tests and benches are no sources.
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
        // What is awaited is there before the newest is read: other folders are looked at meanwhile.
        const { mtime } = await Deno.stat(path);
        newest = Math.max(newest, mtime?.getTime() ?? 0);
      }
    }
  };
  await Promise.all(sources.map((source) => visit(`${root}${source}`)));
  return `${newest.toString(36)}-${count}`;
}
