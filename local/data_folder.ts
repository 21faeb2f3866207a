/** The data folder of an embedded cluster: what it keeps there. */
import { findRunning } from "./announcement.ts";
import { createApiServer, openSqliteJournal, StoreInUse } from "./api/mod.ts";
import { DiskReserve } from "./disk_reserve.ts";
import { ownFile, ownFolder } from "./own_folder.ts";
import { removeTree } from "./image/remove_tree.ts";

const OBJECTS = "objects.sqlite";
const ARTIFACTS = "artifacts";
const ARCHIVE = "archive.sqlite";
const LOCKS = "locks.sqlite";
const PERSISTENCE = "persistence.json";
const SYNCHRONIZATION = "synchronization.json";

/** The names of all that is ours in the folder; other files in it are not. */
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
  // Earlier versions made the following.
  "claims",
];

/** Opens the objects of a data folder that no process has: for looking at them and changing them, nothing runs. */
export async function openStore(
  dataDir: string,
  onNotice?: (text: string) => void,
): Promise<ReturnType<typeof createApiServer>> {
  await ownFolder(dataDir, onNotice);
  const reserve = new DiskReserve(dataDir);
  await reserve.prepare();
  // The files that SQLite makes beside it have its mode.
  await ownFile(`${dataDir}/${OBJECTS}`);
  return createApiServer({ storePath: `${dataDir}/${OBJECTS}`, onNoRoom: () => reserve.giveUp() });
}

/** The file of the embedded archive of workflows; made for its owner only where it is not there. */
export async function archiveFile(dataDir: string): Promise<string> {
  const path = `${dataDir}/${ARCHIVE}`;
  await ownFile(path);
  return path;
}

/** The file that says which database a cluster archives to, where that is not its own. */
export function persistenceFile(dataDir: string): string {
  return `${dataDir}/${PERSISTENCE}`;
}

/** The file that names the database of locks of a cluster, where that is not its own. */
export function synchronizationFile(dataDir: string): string {
  return `${dataDir}/${SYNCHRONIZATION}`;
}

/** The file of locks that workflows share; made for its owner only where it is not there. */
export async function locksFile(dataDir: string): Promise<string> {
  const path = `${dataDir}/${LOCKS}`;
  await ownFile(path);
  return path;
}

/** The folder of the embedded store of artifacts. */
export function artifactsFolder(dataDir: string): string {
  return `${dataDir}/${ARTIFACTS}`;
}

/**
 * Removes all that a cluster keeps in the folder, and the folder itself when nothing else is in it.
 * @throws when a process runs over it, or just starts to.
 */
export async function removeData(dataDir: string): Promise<void> {
  const running = await findRunning(dataDir);
  if (running) throw new Error(`Process ${running.pid} runs over ${dataDir}: end it first`);
  if (!await isThere(`${dataDir}/${OBJECTS}`)) throw new Error(`There is no data of an embedded cluster in ${dataDir}`);
  // A cluster that starts has the objects before it is announced. Their state does not matter: it may be why all goes.
  try {
    openSqliteJournal(`${dataDir}/${OBJECTS}`).close();
  } catch (error) {
    if (error instanceof StoreInUse) throw error;
  }
  for (const name of CONTENT) await removeTree(`${dataDir}/${name}`);
  for await (const _other of Deno.readDir(dataDir)) return;
  await Deno.remove(dataDir);
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
