/** The files of an embedded cluster in its data folder. */
import { findRunning } from "./announcement.ts";
import { createApiServer, openSqliteJournal, StoreInUse } from "./api/mod.ts";
import { DiskReserve } from "./disk_reserve.ts";
import { createPrivateFile, createPrivateFolder } from "./own_folder.ts";
import { removeTree } from "./image/remove_tree.ts";

const OBJECTS = "objects.sqlite";
const ARTIFACTS = "artifacts";
const ARCHIVE = "archive.sqlite";
const LOCKS = "locks.sqlite";
const PERSISTENCE = "persistence.json";
const SYNCHRONIZATION = "synchronization.json";

/** The names of all entries that clusters create in the folder. */
const CONTENT = [
  OBJECTS,
  `${OBJECTS}-wal`,
  `${OBJECTS}-shm`,
  "cluster.json",
  "cluster.json.tmp",
  "kubeconfig",
  "api.sock",
  "reserve",
  "reserve.part",
  ARTIFACTS,
  ARCHIVE,
  `${ARCHIVE}-wal`,
  `${ARCHIVE}-shm`,
  "passes.json",
  "stand-ins",
  PERSISTENCE,
  SYNCHRONIZATION,
  LOCKS,
  `${LOCKS}-wal`,
  `${LOCKS}-shm`,
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
  await createPrivateFile(`${dataDir}/${OBJECTS}`);
  return createApiServer({ storePath: `${dataDir}/${OBJECTS}`, onNoRoom: () => reserve.release() });
}

/** Returns the database file of the embedded archive. Creates it with access for its owner only. */
export async function archiveFile(dataDir: string): Promise<string> {
  const path = `${dataDir}/${ARCHIVE}`;
  await createPrivateFile(path);
  return path;
}

/** Returns the file with the archive settings of a cluster, which exists if they differ from the defaults. */
export function persistenceFile(dataDir: string): string {
  return `${dataDir}/${PERSISTENCE}`;
}

/** Returns the file with the lock settings of a cluster, which exists if they differ from the defaults. */
export function synchronizationFile(dataDir: string): string {
  return `${dataDir}/${SYNCHRONIZATION}`;
}

/** Returns the database file of locks. Creates it with access for its owner only. */
export async function locksFile(dataDir: string): Promise<string> {
  const path = `${dataDir}/${LOCKS}`;
  await createPrivateFile(path);
  return path;
}

/** Returns the folder of the embedded artifact store. */
export function artifactsFolder(dataDir: string): string {
  return `${dataDir}/${ARTIFACTS}`;
}

/**
 * Removes all data of a cluster in the folder, and the folder itself if nothing else is in it.
 * @throws if a process uses the folder or is starting to.
 */
export async function removeData(dataDir: string): Promise<void> {
  const running = await findRunning(dataDir);
  if (running) throw new Error(`Process ${running.pid} uses ${dataDir}: stop it first`);
  if (!await pathExists(`${dataDir}/${OBJECTS}`)) throw new Error(`${dataDir} has no data of an embedded cluster`);
  // A starting cluster opens the objects before it is announced. A damaged database does not prevent the removal.
  try {
    openSqliteJournal(`${dataDir}/${OBJECTS}`).close();
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
