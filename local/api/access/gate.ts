/**
 * The gate in front of the API's HTTP server: limits the number of connections, and the time that each may take without a
 * response. The server itself listens on a socket file, which only the gate connects to.
 */

import { pause, systemClock } from "@tiphys/base/clock";
import { type Carrier, connectionRoom, type SocketCarrier } from "@tiphys/base/net";
import { ANSWERED_WITHIN_MS, MAX_CONNECTIONS } from "../limits.ts";
import type { CarrierListener } from "./tls_listener.ts";

export interface GateOptions {
  /** The listener that clients connect to. */
  readonly listener: Deno.TcpListener | CarrierListener;
  /** The path of the socket file that the server listens on. */
  readonly socket: string;
  readonly maxConnections?: number;
  readonly answeredWithinMs?: number;
}

/** An open gate. Disposing of it closes all its connections. */
export interface Gate extends Disposable {
  /**
   * Stops reading from the client that opened a WebSocket with this `sec-websocket-key` until the result is called: Deno's
   * sockets have no back pressure. Undefined if the client is unknown.
   */
  pauseReading(key: string): (() => void) | undefined;
}

/** A client: its connection, and the connection to the server for it. */
interface Passage {
  readonly ends: Carrier[];
  /** The key of the client's WebSocket. */
  key?: string;
  /** Resolves when reading from the client may continue. */
  held?: Promise<void> | undefined;
  /** When bytes were last sent in either direction. */
  usedAt: number;
  /** Closes the connections unless there is a response. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

const BUFFER_BYTES = 64 * 1024;
/** The file descriptors of one client: its connection, and both ends of the one to the server. */
const DESCRIPTORS_EACH = 3;
/** The pause before accepting again after the process ran out of file descriptors, in milliseconds. */
const ACCEPT_AGAIN_MS = 100;

/** Opens the gate. */
export function openGate(options: GateOptions): Gate {
  const { listener, socket, answeredWithinMs = ANSWERED_WITHIN_MS } = options;
  const maxConnections = connectionRoom(options.maxConnections ?? MAX_CONNECTIONS, DESCRIPTORS_EACH);
  const open = new Set<Passage>();
  const sockets = new Map<string, Passage>();
  let isClosed = false;

  function close(passage: Passage): void {
    if (!open.delete(passage)) return;
    clearTimeout(passage.timer);
    if (passage.key !== undefined) sockets.delete(passage.key);
    for (const end of passage.ends) {
      try {
        end.close();
      } catch {
        // It was already closed.
      }
    }
  }

  function startAnswerTimeout(passage: Passage): void {
    // A client that is held back need not send anything.
    if (passage.held !== undefined) return;
    passage.timer ??= setTimeout(() => close(passage), answeredWithinMs);
  }

  async function serveConnection(client: Deno.TcpConn | SocketCarrier): Promise<void> {
    const passage: Passage = { ends: [client], usedAt: performance.now(), timer: undefined };
    open.add(passage);
    startAnswerTimeout(passage);
    if (open.size > maxConnections) close(leastRecentlyUsed(open));
    try {
      // Without it, pieces of a response would wait for the acknowledgment of the previous one.
      if ("setNoDelay" in client) client.setNoDelay(true);
      const server = await Deno.connect({ transport: "unix", path: socket });
      passage.ends.push(server);
      if (!open.has(passage)) return server.close();
      const forth = forwardBytes(client, server, (bytes) => {
        passage.usedAt = performance.now();
        startAnswerTimeout(passage);
        const key = passage.key === undefined ? webSocketKey(bytes) : undefined;
        if (key !== undefined) sockets.set(passage.key = key, passage);
      }, () => passage.held).then(() => server.closeWrite());
      const back = forwardBytes(server, client, () => {
        passage.usedAt = performance.now();
        clearTimeout(passage.timer);
        passage.timer = undefined;
      });
      // A client that has sent everything may still receive a response; a server that has ended will not send one.
      forth.catch(() => close(passage));
      await back;
      await client.closeWrite();
    } catch {
      // One side has disconnected, which is how connections end.
    } finally {
      close(passage);
    }
  }

  async function acceptAll(): Promise<void> {
    while (!isClosed) {
      try {
        void serveConnection(await listener.accept());
      } catch (error) {
        if (isClosed || error instanceof Deno.errors.BadResource) return;
        await pause(systemClock, ACCEPT_AGAIN_MS);
      }
    }
  }

  void acceptAll();
  return {
    pauseReading(key) {
      const passage = sockets.get(key);
      if (passage === undefined) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      passage.held = promise;
      clearTimeout(passage.timer);
      passage.timer = undefined;
      return () => {
        passage.held = undefined;
        resolve();
      };
    },
    [Symbol.dispose]() {
      isClosed = true;
      listener.close();
      for (const passage of [...open]) close(passage);
    },
  };
}

function leastRecentlyUsed(open: ReadonlySet<Passage>): Passage {
  let found: Passage | undefined;
  for (const passage of open) if (found === undefined || passage.usedAt < found.usedAt) found = passage;
  return found!;
}

/** The key in the head of a WebSocket request, if these bytes are the start of one. */
function webSocketKey(bytes: Uint8Array): string | undefined {
  if (bytes[0] !== GET[0] || bytes[1] !== GET[1] || bytes[2] !== GET[2]) return undefined;
  return /\r\nsec-websocket-key:[ \t]*([^ \t\r\n]+)/i.exec(new TextDecoder().decode(bytes))?.[1];
}

const GET = new TextEncoder().encode("GET");

async function forwardBytes(
  from: Carrier,
  to: Carrier,
  onBytes: (bytes: Uint8Array) => void,
  held: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  const buffer = new Uint8Array(BUFFER_BYTES);
  for (let read = await from.read(buffer); read !== null; read = await from.read(buffer)) {
    onBytes(buffer.subarray(0, read));
    for (let rest = buffer.subarray(0, read); rest.length > 0;) rest = rest.subarray(await to.write(rest));
    await held();
  }
}
