/**
 * A port that speaks TLS and sends each piece of an answer at once. It stands on Node's sockets: those of `Deno.listenTls`
 * cannot be told to, so what follows the first 16 KiB waited until the client had said that it has these, which takes 40 ms.
 */
import { createServer } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { type SocketCarrier, socketCarrier } from "../../../lib/net/mod.ts";

/** The connections that come to a port. */
export interface CarrierListener {
  readonly port: number;
  /** The next connection. @throws {Deno.errors.BadResource} once the listener is closed. */
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
export async function listenTls(options: TlsListenerOptions): Promise<CarrierListener> {
  const { hostname, port, cert, key, alpnProtocols } = options;
  const secureContext = createSecureContext({ cert, key });
  const arrived: SocketCarrier[] = [];
  let isClosed = false;
  let wake = () => {};
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext,
      ALPNProtocols: [...alpnProtocols],
      allowHalfOpen: true,
    } as never);
    socket.on("error", () => secure.destroy());
    arrived.push(socketCarrier(secure));
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, () => resolve());
  });
  return {
    port: (server.address() as { port: number }).port,
    async accept() {
      while (arrived.length === 0) {
        if (isClosed) throw new Deno.errors.BadResource("The listener is closed");
        await new Promise<void>((resolve) => wake = resolve);
      }
      return arrived.shift()!;
    },
    close() {
      isClosed = true;
      server.close();
      wake();
    },
  };
}
