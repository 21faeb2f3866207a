/**
 * Recovery of a listening port. After the process ran out of file descriptors, Node's servers in Deno silently accept
 * no more connections. So the port is probed with a connection, and reopened if none is accepted.
 */
import type { Server, Socket } from "node:net";
import { pause, systemClock } from "@tiphys/base/clock";

/** Milliseconds between two probes. */
const TRY_MILLIS = 10_000;
/** The maximum time that an accepted connection may take to appear, in milliseconds. */
const ARRIVAL_MILLIS = 5_000;

/** A port to probe. The times are for tests. */
export interface ProbedPort {
  readonly server: Server;
  readonly hostname: string;
  readonly port: number;
  readonly tryMillis?: number;
  readonly arrivalMillis?: number;
}

/** Probes a port until the returned function is called. */
export function keepAccepting(
  { server, hostname, port, tryMillis = TRY_MILLIS, arrivalMillis = ARRIVAL_MILLIS }: ProbedPort,
) {
  const stop = new AbortController();
  const near = { "0.0.0.0": "127.0.0.1", "::": "::1" }[hostname] ?? hostname;
  const tries = async () => {
    while (!stop.signal.aborted) {
      await pause(systemClock, tryMillis, stop.signal).catch(() => {});
      if (stop.signal.aborted) return;
      const address = { hostname: near, port, arrivalMillis };
      // Two probes must fail: a single one may be late on a busy machine, and reopening drops all connections that wait
      // to be accepted.
      if (await isNotAccepting(server, address) && await isNotAccepting(server, address) && !stop.signal.aborted) {
        server.close();
        server.listen(port, hostname);
      }
    }
  };
  void tries();
  return () => stop.abort();
}

/** Whether a connection was established but never accepted. False if no connection can be established. */
async function isNotAccepting(
  server: Server,
  { arrivalMillis, ...address }: { readonly hostname: string; readonly port: number; readonly arrivalMillis: number },
): Promise<boolean> {
  // The local port is known only after connecting, when the server may already have accepted it.
  const come = new Set<number | undefined>();
  let wake = () => {};
  const note = (socket: Socket) => {
    come.add(socket.remotePort);
    wake();
  };
  // Added first, because a listener that closes the connection removes its address.
  server.prependListener("connection", note);
  try {
    using connection = await Deno.connect(address);
    const { port } = connection.localAddr as Deno.NetAddr;
    const late = new AbortController();
    const takeBack = systemClock.after(arrivalMillis, () => (late.abort(), wake()));
    while (!come.has(port) && !late.signal.aborted) await new Promise<void>((resolve) => wake = resolve);
    takeBack();
    return !come.has(port);
  } catch {
    return false;
  } finally {
    server.off("connection", note);
  }
}
