/**
 * Folders for their owner only. A cluster's data is secret (tokens, Secrets, logs), and images hold programs with
 * set-uid bits that nobody of this machine may start: so the way to all of it is closed at the top, whatever lies below.
 *
 * The process's umask stays as it is, because containers inherit it: files that must be closed are made so one by one.
 */

const OWNER_ONLY = 0o700;

/**
 * Makes a folder for this user alone; one that was there with wider rights is narrowed, which `onNarrowed` is told.
 * @throws {Error} for one that belongs to another user: they could open it again.
 */
export async function ownFolder(path: string, onNarrowed: (text: string) => void = () => {}): Promise<void> {
  await Deno.mkdir(path, { recursive: true, mode: OWNER_ONLY });
  const { uid, mode, isDirectory } = await Deno.stat(path);
  if (!isDirectory) throw new Error(`Expected a folder: ${path}`);
  // Systems without owners have other ways to keep people apart.
  if (uid === null || mode === null) return;
  if (uid !== Deno.uid()) {
    throw new Error(
      `The folder ${path} belongs to the user ${uid}, and tiphys runs as ${Deno.uid()}: name another one, or change its owner`,
    );
  }
  if ((mode & 0o777) === OWNER_ONLY) return;
  await Deno.chmod(path, OWNER_ONLY);
  if ((mode & 0o077) !== 0) onNarrowed(`Others could look into the folder ${path}: it is closed to them now`);
}

/** Makes a file for this user alone, empty where it was not there. */
export async function ownFile(path: string): Promise<void> {
  (await Deno.open(path, { write: true, create: true, mode: 0o600 })).close();
  await Deno.chmod(path, 0o600);
}
