const MANIFEST = /\.(ya?ml|json)$/;

/**
 * The files that are named, and those in the folders that are named, in order.
 * @throws when there is no such file.
 */
export async function manifestFiles(names: readonly string[]): Promise<string[]> {
  const files = await Promise.all(names.map(async (name) => {
    if (name === "-" || /^https?:\/\//.test(name)) return [name];
    const isFolder = await Deno.stat(name).then((found) => found.isDirectory, () => false);
    return isFolder ? await filesBelow(name.replace(/\/$/, "")) : [name];
  }));
  return files.flat();
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = (await Array.fromAsync(Deno.readDir(folder))).sort((a, b) => a.name < b.name ? -1 : 1);
  const files = await Promise.all(entries.map(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) return filesBelow(path);
    return Promise.resolve(MANIFEST.test(name) ? [path] : []);
  }));
  return files.flat();
}
