/**
 * TLS by `node:tls`, loaded only for options that Deno does not support: authorities instead of the system's, servers
 * without verification, a client certificate through a proxy.
 */
import type { Carrier } from "./wire.ts";
import type { TlsOptions } from "./net.ts";
import { duplexOf } from "./duplex.ts";
import { socketCarrier } from "./socket_carrier.ts";

/** Connects, through a proxy if `through` is an open connection to it, and performs the TLS handshake. */
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
    // SNI does not support addresses.
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
