/**
 * Folders in which trees lie for a while. Each has a file that its server holds locked, which the kernel lets go when the server
 * ends: so the next server knows those that one left which was killed.
 */

const PREFIX = "tiphys-tree-";
const LOCK = "lock";
/** The age from which a folder without a lock is nobody's: its server has long had the time to lock it. */
const UNLOCKED_MILLIS = 600_000;
/** Folders that are looked at: others may write into the folder of the system, too. */
const MOST_FOLDERS = 1_000;

/** A folder of this server until it is disposed of. */
export interface TreeFolder extends AsyncDisposable {
  readonly path: string;
}

/** Makes a folder, in the one of the system for what is temporary unless another is named. */
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

/** Removes the folders that no server holds any more; what cannot be removed stays. */
export async function removeOrphanedTrees(dir: string, now: number): Promise<void> {
  let looked = 0;
  try {
    for await (const { name, isDirectory } of Deno.readDir(dir)) {
      if (!isDirectory || !name.startsWith(PREFIX)) continue;
      if (++looked > MOST_FOLDERS) return;
      const path = `${dir}/${name}`;
      if (await isOrphaned(path, now).catch(() => false)) await Deno.remove(path, { recursive: true }).catch(() => {});
    }
  } catch { /* A folder that cannot be read has nothing that could be removed. */ }
}

async function isOrphaned(path: string, now: number): Promise<boolean> {
  const lock = await Deno.lstat(`${path}/${LOCK}`).catch(() => undefined);
  if (lock === undefined) return now - ((await Deno.lstat(path)).mtime?.getTime() ?? now) > UNLOCKED_MILLIS;
  // Somebody else's file may be anything: what is no file is not opened.
  if (!lock.isFile) return false;
  using file = await Deno.open(`${path}/${LOCK}`, { read: true });
  return await file.tryLock(true);
}
