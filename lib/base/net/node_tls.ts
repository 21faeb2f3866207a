/**
 * TLS by `node:tls`, loaded only where Deno's own cannot do what is asked: authorities instead of the system's, a server
 * that is not checked, a client's certificate through a proxy.
 */
import type { Carrier } from "./wire.ts";
import type { TlsOptions } from "./net.ts";
import { duplexOf } from "./duplex.ts";
import { socketCarrier } from "./socket_carrier.ts";

/** Connects, through a proxy when `through` is a connection that it has opened, and agrees on TLS. */
export async function connectNodeTls(
  { host, port, tls, through, stop }: {
    readonly host: string;
    readonly port: number;
    readonly tls: TlsOptions;
    readonly through?: Carrier;
    readonly stop: AbortSignal;
  },
): Promise<Carrier> {
  const [{ connect }, { Duplex }] = await Promise.all([import("node:tls"), import("node:stream")]);
  stop.throwIfAborted();
  const socket = connect({
    ...(through ? { socket: duplexOf(Duplex, through) } : { host, port }),
    // An address has no name to ask for.
    ...(/^[0-9.]+$|:/.test(host) ? { host } : { servername: host }),
    ...(tls.caCerts ? { ca: [...tls.caCerts] } : {}),
    ...(tls.cert !== undefined ? { cert: tls.cert, key: tls.key } : {}),
    rejectUnauthorized: tls.insecureSkipVerify !== true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cut = () => reject(stop.reason);
  stop.addEventListener("abort", cut, { once: true });
  socket.once("secureConnect", () => resolve());
  socket.once("error", reject);
  socket.once("close", () => reject(new Deno.errors.ConnectionReset("connection reset")));
  try {
    await promise;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    stop.removeEventListener("abort", cut);
  }
  socket.setNoDelay(true);
  return socketCarrier(socket);
}
