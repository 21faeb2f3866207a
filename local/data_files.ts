/** The files in the data folder of an embedded cluster. Separate, so that a client of a running cluster does not load the cluster. */
import { createPrivateFile } from "./own_folder.ts";

/** The names of files and folders in a data folder. */
export const DATA = {
  objects: "objects.sqlite",
  artifacts: "artifacts",
  archive: "archive.sqlite",
  locks: "locks.sqlite",
  persistence: "persistence.json",
  synchronization: "synchronization.json",
} as const;

/** Returns the database file of the embedded archive. Creates it with access for its owner only. */
export async function archiveFile(dataDir: string): Promise<string> {
  const path = `${dataDir}/${DATA.archive}`;
  await createPrivateFile(path);
  return path;
}

/** Returns the file with the archive settings of a cluster, which exists if they differ from the defaults. */
export function persistenceFile(dataDir: string): string {
  return `${dataDir}/${DATA.persistence}`;
}

/** Returns the file with the lock settings of a cluster, which exists if they differ from the defaults. */
export function synchronizationFile(dataDir: string): string {
  return `${dataDir}/${DATA.synchronization}`;
}

/** Returns the database file of locks. Creates it with access for its owner only. */
export async function locksFile(dataDir: string): Promise<string> {
  const path = `${dataDir}/${DATA.locks}`;
  await createPrivateFile(path);
  return path;
}

/** Returns the folder of the embedded artifact store. */
export function artifactsFolder(dataDir: string): string {
  return `${dataDir}/${DATA.artifacts}`;
}
