/**
 * Starts the process of a server on a free port, waits until it accepts connections, and removes its folder at the end.
 */

/** Longest time until a server accepts connections, in milliseconds. Long, because the machine may be busy. */
const TIMEOUT_MILLIS = 60_000;

/** The process of a server. Disposing it kills the process and removes its folder. */
export interface ServerProcess extends AsyncDisposable {
  readonly port: number;
  /** A temporary folder for the files of the server. */
  readonly folder: string;
}

/** A free port of 127.0.0.1. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return port;
}

/** A network in which a server runs: its address, and a prefix of the command that enters the network. */
export interface ServerHost {
  readonly address: string;
  readonly command: readonly string[];
}

/** The loopback interface of this machine. */
export const LOOPBACK: ServerHost = { address: "127.0.0.1", command: [] };

/** Starts the server that `command` returns for a port and a folder. Resolves when the port accepts connections. */
export async function serve(
  command: (port: number, folder: string) => readonly string[],
  env: Record<string, string> = {},
  host: ServerHost = LOOPBACK,
): Promise<ServerProcess> {
  const folder = await Deno.makeTempDir({ prefix: "tiphys-store-" });
  const port = freePort();
  const [program = "", ...args] = [...host.command, ...command(port, folder)];
  const log = `${folder}/server.log`;
  const file = await Deno.open(log, { write: true, create: true });
  const child = new Deno.Command(program, { args, env, stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  const logged = Promise.all([child.stdout, child.stderr].map(async (stream) => {
    for await (const part of stream) await file.write(part);
  }));
  const end = async () => {
    try {
      child.kill("SIGKILL");
    } catch { /* The process has already exited. */ }
    await child.status;
    await logged.catch(() => {});
    file.close();
    await Deno.remove(folder, { recursive: true });
  };
  let hasExited = false;
  child.status.then(() => hasExited = true);
  const deadline = Date.now() + TIMEOUT_MILLIS;
  for (;;) {
    const conn = await Deno.connect({ hostname: host.address, port }).catch(() => undefined);
    if (conn) {
      conn.close();
      return { port, folder, [Symbol.asyncDispose]: end };
    }
    if (hasExited || Date.now() > deadline) {
      const output = (await Deno.readTextFile(log)).slice(-2000);
      await end();
      throw new Error(`${program} does not accept connections: ${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
