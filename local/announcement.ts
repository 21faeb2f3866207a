/**
 * The announcement of a running embedded cluster: a file in its data folder, through which other processes of the same
 * user find it.
 */
import { isObject, textsIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";

/** The URL of an embedded cluster, with the token and the CA certificate that its clients need. */
export interface Announcement {
  readonly url: string;
  readonly token: string;
  readonly caCert: string | undefined;
  /** The default artifact repository. */
  readonly artifactRepository?: object | undefined;
}

/** An announcement and the process that made it. */
export interface Running extends Announcement {
  readonly pid: number;
}

/** An announcement that is valid until it is withdrawn or its process ends. */
export interface ActiveAnnouncement {
  withdraw(): Promise<void>;
}

/**
 * Writes an announcement that only this user can read. The file stays locked while it is valid: the kernel releases the
 * lock when the process ends in any way, whereas a process ID may be reused.
 */
export async function announce(
  dataDir: string,
  { url, token, caCert, artifactRepository }: Announcement,
): Promise<ActiveAnnouncement> {
  const path = fileOf(dataDir);
  const temporary = `${path}.tmp`;
  const file = await Deno.open(temporary, { write: true, create: true, mode: 0o600 });
  // A leftover file may have another mode.
  await Deno.chmod(temporary, 0o600);
  await file.lock(true);
  await Deno.writeTextFile(temporary, JSON.stringify({ url, token, caCert, pid: Deno.pid, artifactRepository }));
  // Other processes only see a complete and locked file.
  await Deno.rename(temporary, path);
  return {
    async withdraw() {
      await Deno.remove(path).catch((error) => {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      });
      file.close();
    },
  };
}

/**
 * Finds the cluster that uses a data folder; undefined if none runs, even if a killed one left its file.
 * @throws {Error} if the data folder is a file.
 */
export async function findRunning(dataDir: string): Promise<Running | undefined> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(fileOf(dataDir));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    if (error instanceof Deno.errors.NotADirectory) throw new Error(`Data folder ${dataDir}: it is not a folder`);
    throw error;
  }
  // The lock is shared, so that concurrent callers do not mistake each other for a cluster.
  if (await file.tryLock(false)) {
    file.close();
    return undefined;
  }
  // Reading to the end closes the file.
  const fields = fieldsOfJson(await new Response(file.readable).text());
  const { url, token, caCert } = textsIn(fields, ["url", "token", "caCert"]);
  const { pid, artifactRepository } = fields;
  if (url === undefined || token === undefined || typeof pid !== "number") {
    throw new Error(`${fileOf(dataDir)} is not a valid announcement of a cluster`);
  }
  return { url, token, caCert, pid, ...(isObject(artifactRepository) ? { artifactRepository } : {}) };
}

function fileOf(dataDir: string): string {
  return `${dataDir}/cluster.json`;
}
