/** A server's process: started on a port of its own, awaited until it answers, ended with what it was given. */

/** The time that a server may take to answer, in milliseconds: a machine may have much to do. */
const PATIENCE_MILLIS = 60_000;

/** A process that serves. */
export interface Serving extends AsyncDisposable {
  readonly port: number;
  /** A folder that goes with it. */
  readonly folder: string;
}

/** A port of 127.0.0.1 that nobody has. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return port;
}

/** The place of a server: its address, and the words in front of its command. */
export interface ServingPlace {
  readonly address: string;
  readonly command: readonly string[];
}

/** This machine, where nobody else reaches it. */
export const LOOPBACK: ServingPlace = { address: "127.0.0.1", command: [] };

/** Starts a command that serves on a port; resolves when that takes connections. */
export async function serve(
  command: (port: number, folder: string) => readonly string[],
  env: Record<string, string> = {},
  at: ServingPlace = LOOPBACK,
): Promise<Serving> {
  const folder = await Deno.makeTempDir({ prefix: "tiphys-store-" });
  const port = freePort();
  const [program = "", ...args] = [...at.command, ...command(port, folder)];
  const log = `${folder}/server.log`;
  const file = await Deno.open(log, { write: true, create: true });
  const child = new Deno.Command(program, { args, env, stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  const logged = Promise.all([child.stdout, child.stderr].map(async (stream) => {
    for await (const part of stream) await file.write(part);
  }));
  const end = async () => {
    try {
      child.kill("SIGKILL");
    } catch { /* It ended by itself. */ }
    await child.status;
    await logged.catch(() => {});
    file.close();
    await Deno.remove(folder, { recursive: true });
  };
  let over = false;
  child.status.then(() => over = true);
  const deadline = Date.now() + PATIENCE_MILLIS;
  for (;;) {
    const conn = await Deno.connect({ hostname: at.address, port }).catch(() => undefined);
    if (conn) {
      conn.close();
      return { port, folder, [Symbol.asyncDispose]: end };
    }
    if (over || Date.now() > deadline) {
      const said = (await Deno.readTextFile(log)).slice(-2000);
      await end();
      throw new Error(`${program} does not serve: ${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
