/**
 * The announcement of an embedded cluster that runs, by which other processes of the same user find it: a file beside
 * its data.
 */
import { isObject, textsIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";

/** The URL of an embedded cluster, with the token and the certificate of the authority that its clients need. */
export interface Announcement {
  readonly url: string;
  readonly token: string;
  readonly caCert: string | undefined;
  /** The place of artifacts that name none. */
  readonly artifactRepository?: object | undefined;
}

/** An announcement, and the process that made it. */
export interface Running extends Announcement {
  readonly pid: number;
}

/** An announcement that holds until it is taken back, or until its process ends. */
export interface Announced {
  withdraw(): Promise<void>;
}

/**
 * Writes an announcement, which only this user can read. The file stays locked while it holds: the kernel lets go of a
 * lock when its process ends, whatever its end, while a number of a process may soon be another's.
 */
export async function announce(
  dataDir: string,
  { url, token, caCert, artifactRepository }: Announcement,
): Promise<Announced> {
  const path = fileOf(dataDir);
  const begun = `${path}.tmp`;
  const file = await Deno.open(begun, { write: true, create: true, mode: 0o600 });
  // A file that was left behind may have another mode.
  await Deno.chmod(begun, 0o600);
  await file.lock(true);
  await Deno.writeTextFile(begun, JSON.stringify({ url, token, caCert, pid: Deno.pid, artifactRepository }));
  // Only now may others find it: whole, and locked.
  await Deno.rename(begun, path);
  return {
    async withdraw() {
      await Deno.remove(path).catch((error) => {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      });
      file.close();
    },
  };
}

/** The cluster that runs over this folder; undefined when there is none, also when one was killed and left its file. */
export async function findRunning(dataDir: string): Promise<Running | undefined> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(fileOf(dataDir));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  // The lock is shared, so that two who ask do not take each other for a cluster.
  if (await file.tryLock(false)) {
    file.close();
    return undefined;
  }
  // Reading to the end closes it.
  const fields = fieldsOfJson(await new Response(file.readable).text());
  const { url, token, caCert } = textsIn(fields, ["url", "token", "caCert"]);
  const { pid, artifactRepository } = fields;
  if (url === undefined || token === undefined || typeof pid !== "number") {
    throw new Error(`${fileOf(dataDir)} announces a cluster, and does not say how to find it`);
  }
  return { url, token, caCert, pid, ...(isObject(artifactRepository) ? { artifactRepository } : {}) };
}

function fileOf(dataDir: string): string {
  return `${dataDir}/cluster.json`;
}
