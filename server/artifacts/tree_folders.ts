/**
 * Temporary folders for trees. The server holds a lock on a file in each, which the kernel releases when the server
 * ends. The next server therefore recognizes folders of a killed server.
 */

const PREFIX = "tiphys-tree-";
const LOCK = "lock";
/**
 * The age at which a folder without a lock file is considered orphaned: its server would have created the file long
 * ago.
 */
const UNLOCKED_MILLIS = 600_000;
/**
 * The maximum number of folders to check, because other programs can create folders in the system's temporary folder.
 */
const MAX_FOLDERS = 1_000;

/** A folder of this server until it is disposed of. */
export interface TreeFolder extends AsyncDisposable {
  readonly path: string;
}

/** Creates a folder in `dir`. Default: the system's temporary folder. */
export async function makeTreeFolder(dir?: string): Promise<TreeFolder> {
  const path = await Deno.makeTempDir({ prefix: PREFIX, dir });
  const lock = await Deno.open(`${path}/${LOCK}`, { write: true, createNew: true });
  await lock.lock(true);
  return {
    path,
    async [Symbol.asyncDispose]() {
      try {
        await Deno.remove(path, { recursive: true });
      } finally {
        lock.close();
      }
    },
  };
}

/** Removes the folders that no server has locked. Folders that cannot be removed are kept. */
export async function removeOrphanedTrees(dir: string, now: number): Promise<void> {
  let looked = 0;
  try {
    for await (const { name, isDirectory } of Deno.readDir(dir)) {
      if (!isDirectory || !name.startsWith(PREFIX)) continue;
      if (++looked > MAX_FOLDERS) return;
      const path = `${dir}/${name}`;
      if (await isOrphaned(path, now).catch(() => false)) await Deno.remove(path, { recursive: true }).catch(() => {});
    }
  } catch { /* A folder that cannot be read has nothing that could be removed. */ }
}

async function isOrphaned(path: string, now: number): Promise<boolean> {
  const lock = await Deno.lstat(`${path}/${LOCK}`).catch(() => undefined);
  if (lock === undefined) return now - ((await Deno.lstat(path)).mtime?.getTime() ?? now) > UNLOCKED_MILLIS;
  // Another user may have created anything there, so only regular files are opened.
  if (!lock.isFile) return false;
  using file = await Deno.open(`${path}/${LOCK}`, { read: true });
  return await file.tryLock(true);
}
