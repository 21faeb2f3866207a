/**
 * A port that speaks TLS and sends each piece of an answer at once. TLS is Node's: connections of `Deno.listenTls` cannot be told
 * to send at once, so what follows the first 16 KiB waited until the client had said that it has these, which takes 40 ms. The
 * port is Deno's: one of Node's takes no connection any more, and says nothing, once the process had no descriptor for one.
 */
import { Duplex } from "node:stream";
import { createSecureContext, TLSSocket } from "node:tls";
import { duplexOf, type SocketCarrier, socketCarrier } from "@tiphys/base/net";

/** The connections that come to a port. */
export interface CarrierListener {
  readonly port: number;
  /**
   * The next connection.
   * @throws {Deno.errors.BadResource} once the listener is closed; another error where the process has no room for one more,
   * after which it may be called again.
   */
  accept(): Promise<SocketCarrier>;
  /** Takes no more connections; those that are there go on. */
  close(): void;
}

/** Certificate and key as PEM, and the protocols to choose from. */
export interface TlsListenerOptions {
  readonly hostname: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  readonly alpnProtocols: readonly string[];
}

/** Listens; a connection is there at once, and agrees on TLS when it is read. */
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
