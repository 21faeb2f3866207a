/** How other processes of the same user find an embedded cluster that runs: a file beside its data. */

/** Where it listens, and what it wants to see. */
export interface Announcement {
  readonly url: string;
  readonly token: string;
  readonly caCert: string | undefined;
}

/** An announcement, and the process that made it. */
export interface Running extends Announcement {
  readonly pid: number;
}

/** Writes it; only this user can read it. */
export async function announce(dataDir: string, { url, token, caCert }: Announcement): Promise<void> {
  const path = fileOf(dataDir);
  await Deno.writeTextFile(path, JSON.stringify({ url, token, caCert, pid: Deno.pid }), { mode: 0o600 });
}

/** Takes it back. */
export async function withdraw(dataDir: string): Promise<void> {
  await Deno.remove(fileOf(dataDir)).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

/** The cluster that runs over this folder; undefined when there is none, also when one was killed and left its file. */
export async function findRunning(dataDir: string): Promise<Running | undefined> {
  let text: string;
  try {
    text = await Deno.readTextFile(fileOf(dataDir));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const running = JSON.parse(text) as Running;
  return await isAlive(running.pid) ? running : undefined;
}

async function isAlive(pid: number): Promise<boolean> {
  const { success } = await new Deno.Command("kill", { args: ["-0", String(pid)], stdout: "null", stderr: "null" })
    .output();
  return success;
}

function fileOf(dataDir: string): string {
  return `${dataDir}/cluster.json`;
}
