/**
 * A TLS port without Nagle's algorithm. TLS is Node's, because `Deno.listenTls` cannot disable the algorithm, which
 * delays everything after the first 16 KiB by 40 ms. The port is Deno's, because Node's silently stops accepting
 * connections after the process ran out of file descriptors.
 */
import { Duplex } from "node:stream";
import { createSecureContext, TLSSocket } from "node:tls";
import { duplexOf, type SocketCarrier, socketCarrier } from "@tiphys/base/net";

/** Accepts the connections of a port. */
export interface CarrierListener {
  readonly port: number;
  /**
   * Returns the next connection.
   * @throws {Deno.errors.BadResource} after the listener was closed; another error if the process is out of resources,
   * after which it may be called again.
   */
  accept(): Promise<SocketCarrier>;
  /** Stops accepting. Existing connections continue. */
  close(): void;
}

/** The certificate and key in PEM format, and the protocols to negotiate. */
export interface TlsListenerOptions {
  readonly hostname: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  readonly alpnProtocols: readonly string[];
}

/** Listens. A connection is returned immediately, and negotiates TLS when it is first read. */
export function listenTls({ hostname, port, cert, key, alpnProtocols }: TlsListenerOptions): CarrierListener {
  const secureContext = createSecureContext({ cert, key });
  const listener = Deno.listen({ hostname, port });
  return {
    port: listener.addr.port,
    async accept() {
      const connection = await listener.accept();
      connection.setNoDelay(true);
      const below = duplexOf(Duplex, connection);
      const secure = new TLSSocket(below as never, {
        isServer: true,
        secureContext,
        ALPNProtocols: [...alpnProtocols],
        allowHalfOpen: true,
      } as never);
      below.on("error", () => secure.destroy());
      return socketCarrier(secure);
    },
    close: () => listener.close(),
  };
}
