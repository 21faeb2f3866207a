/** The files of an embedded cluster in its data folder. */
import { findRunning } from "./announcement.ts";
import { createApiServer, openSqliteJournal, StoreInUse } from "./api/mod.ts";
import { DATA } from "./data_files.ts";
import { DiskReserve } from "./disk_reserve.ts";
import { createPrivateFile, createPrivateFolder } from "./own_folder.ts";
import { removeTree } from "./image/remove_tree.ts";

/** The names of all entries that clusters create in the folder. */
const CONTENT = [
  DATA.objects,
  `${DATA.objects}-wal`,
  `${DATA.objects}-shm`,
  "cluster.json",
  "cluster.json.tmp",
  "kubeconfig",
  "api.sock",
  "reserve",
  "reserve.part",
  DATA.artifacts,
  DATA.archive,
  `${DATA.archive}-wal`,
  `${DATA.archive}-shm`,
  "passes.json",
  "stand-ins",
  DATA.persistence,
  DATA.synchronization,
  DATA.locks,
  `${DATA.locks}-wal`,
  `${DATA.locks}-shm`,
  "pods",
  "volumes",
  // Created by earlier versions.
  "claims",
];

/** Opens the objects of a data folder that no process uses, to read and change them. Runs no workflows. */
export async function openStore(
  dataDir: string,
  onNotice?: (text: string) => void,
): Promise<ReturnType<typeof createApiServer>> {
  await createPrivateFolder(dataDir, onNotice);
  const reserve = new DiskReserve(dataDir);
  await reserve.prepare();
  // SQLite creates its other files with the mode of this one.
  await createPrivateFile(`${dataDir}/${DATA.objects}`);
  return createApiServer({ storePath: `${dataDir}/${DATA.objects}`, onNoRoom: () => reserve.release() });
}

/**
 * Removes all data of a cluster in the folder, and the folder itself if nothing else is in it.
 * @throws if a process uses the folder or is starting to.
 */
export async function removeData(dataDir: string): Promise<void> {
  const running = await findRunning(dataDir);
  if (running) throw new Error(`Process ${running.pid} uses ${dataDir}: stop it first`);
  if (!await pathExists(`${dataDir}/${DATA.objects}`)) throw new Error(`${dataDir} has no data of an embedded cluster`);
  // A starting cluster opens the objects before it is announced. A damaged database does not prevent the removal.
  try {
    openSqliteJournal(`${dataDir}/${DATA.objects}`).close();
  } catch (error) {
    if (error instanceof StoreInUse) throw error;
  }
  for (const name of CONTENT) await removeTree(`${dataDir}/${name}`);
  for await (const _other of Deno.readDir(dataDir)) return;
  await Deno.remove(dataDir);
}

async function pathExists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
