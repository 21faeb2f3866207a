/** The newest change of the page's sources: the name of what is made from them, so that it is made once. */

const SOURCES = ["ui", "lib"] as const;

/** The number of sources and the time of the last change of one, as a text for the name of the folder. */
export async function newestChange(root: string): Promise<string> {
  let newest = 0;
  let count = 0;
  const visit = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      const path = `${folder}/${name}`;
      if (isDirectory) await visit(path);
      else if (!/_(test|bench)\.tsx?$/.test(name)) {
        count++;
        const { mtime } = await Deno.stat(path);
        newest = Math.max(newest, mtime?.getTime() ?? 0);
      }
    }
  };
  await Promise.all(SOURCES.map((source) => visit(`${root}${source}`)));
  return `${newest.toString(36)}-${count}`;
}
