const MANIFEST = /\.(ya?ml|json)$/;

/** Files with manifests. */
export interface ManifestFiles {
  /** All files, in order. */
  readonly files: readonly string[];
  /** Files that were found in a folder, which may contain anything. */
  readonly foundInFolders: ReadonlySet<string>;
}

/**
 * Returns the named files, and the manifests in the named folders.
 * @throws if a folder cannot be read.
 */
export async function manifestFiles(names: readonly string[]): Promise<ManifestFiles> {
  const found = new Set<string>();
  const files = await Promise.all(names.map(async (name) => {
    if (name === "-" || /^https?:\/\//.test(name)) return [name];
    const isFolder = await Deno.stat(name).then((entry) => entry.isDirectory, () => false);
    if (!isFolder) return [name];
    const below = await filesBelow(name.replace(/\/$/, ""));
    for (const file of below) found.add(file);
    return below;
  }));
  return { files: files.flat(), foundInFolders: found };
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
