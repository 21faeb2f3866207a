/**
 * Folders with access for their owner only. The data of a cluster is secret (tokens, Secrets, logs), and images contain
 * set-uid programs that other users of this machine must not start. So the top folder is closed, regardless of the
 * modes below it.
 *
 * The umask of the process is not changed, because containers inherit it: private files are created with their own
 * mode.
 */

const OWNER_ONLY = 0o700;

/**
 * Creates a folder that only this user can access. Restricts an existing folder, and reports that to `onNarrowed`.
 * @throws {Error} for a folder of another user, who could change its mode again.
 */
export async function createPrivateFolder(path: string, onNarrowed: (text: string) => void = () => {}): Promise<void> {
  await Deno.mkdir(path, { recursive: true, mode: OWNER_ONLY });
  const { uid, mode, isDirectory } = await Deno.stat(path);
  if (!isDirectory) throw new Error(`Expected a folder: ${path}`);
  // Systems without owners separate users in other ways.
  if (uid === null || mode === null) return;
  if (uid !== Deno.uid()) {
    throw new Error(
      `The folder ${path} belongs to the user ${uid}, and tiphys runs as ${Deno.uid()}: use another folder, or change its owner`,
    );
  }
  if ((mode & 0o777) === OWNER_ONLY) return;
  await Deno.chmod(path, OWNER_ONLY);
  if ((mode & 0o077) !== 0) {
    onNarrowed(`Other users could read the folder ${path}: its access is now restricted to you`);
  }
}

/** Creates an empty file unless it exists, and restricts access to this user. */
export async function createPrivateFile(path: string): Promise<void> {
  (await Deno.open(path, { write: true, create: true, mode: 0o600 })).close();
  await Deno.chmod(path, 0o600);
}
