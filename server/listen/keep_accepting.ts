/**
 * A port that takes connections again after the process had no descriptor for one: Node's servers, in Deno, take none from then
 * on, and say nothing of it. So the port is tried, as a client would, and listened on anew where nobody comes of that.
 */
import type { Server, Socket } from "node:net";
import { pause, systemClock } from "../../lib/clock/mod.ts";

/** The pause between two tries. */
const TRY_MILLIS = 10_000;
/** The time within which a connection that was made must have come. */
const COME_MILLIS = 5_000;

/** A port to look after; times are for tests. */
export interface KeptPort {
  readonly server: Server;
  readonly hostname: string;
  readonly port: number;
  readonly tryMillis?: number;
  readonly comeMillis?: number;
}

/** Looks after a port until the function is called that comes back. */
export function keepAccepting({ server, hostname, port, tryMillis = TRY_MILLIS, comeMillis = COME_MILLIS }: KeptPort) {
  const stop = new AbortController();
  const near = { "0.0.0.0": "127.0.0.1", "::": "::1" }[hostname] ?? hostname;
  const tries = async () => {
    while (!stop.signal.aborted) {
      await pause(systemClock, tryMillis, stop.signal).catch(() => {});
      if (stop.signal.aborted) return;
      const address = { hostname: near, port, comeMillis };
      // One connection may be late where the process has no time: who listens anew sends away all that wait to be taken.
      if (await isDeaf(server, address) && await isDeaf(server, address) && !stop.signal.aborted) {
        server.close();
        server.listen(port, hostname);
      }
    }
  };
  void tries();
  return () => stop.abort();
}

/** Whether a connection was made, and nobody came. Where none can be made, there is nothing to be said. */
async function isDeaf(
  server: Server,
  { comeMillis, ...address }: { readonly hostname: string; readonly port: number; readonly comeMillis: number },
): Promise<boolean> {
  // The client's port is known once it is connected, and it may have come by then.
  const come = new Set<number | undefined>();
  let wake = () => {};
  const note = (socket: Socket) => {
    come.add(socket.remotePort);
    wake();
  };
  // Before all others: one that ends the connection, as a full server does, takes its address from it.
  server.prependListener("connection", note);
  try {
    using connection = await Deno.connect(address);
    const { port } = connection.localAddr as Deno.NetAddr;
    const late = new AbortController();
    const takeBack = systemClock.after(comeMillis, () => (late.abort(), wake()));
    while (!come.has(port) && !late.signal.aborted) await new Promise<void>((resolve) => wake = resolve);
    takeBack();
    return !come.has(port);
  } catch {
    return false;
  } finally {
    server.off("connection", note);
  }
}
