/**
 * The gate in front of the API's HTTP server: bounds how many connections there are, and how long each may take without being
 * answered. The server itself listens on a socket file, where nobody comes but through here.
 */

import { pause, systemClock } from "../../../lib/clock/mod.ts";
import { type Carrier, connectionRoom, type SocketCarrier } from "../../../lib/net/mod.ts";
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

/** One client: its connection, and ours to the server on its behalf. */
interface Passage {
  readonly ends: Carrier[];
  /** The moment at which bytes last went either way. */
  usedAt: number;
  /** Closes it unless something is answered. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

const BUFFER_BYTES = 64 * 1024;
/** The descriptors of one client: its connection, and both ends of ours on its behalf. */
const DESCRIPTORS_EACH = 3;
/** The pause before another look where the process has no room for one more connection, in milliseconds. */
const ACCEPT_AGAIN_MS = 100;

/** Opens the gate; it closes with all its connections when it is disposed of. */
export function openGate(options: GateOptions): Disposable {
  const { listener, socket, answeredWithinMs = ANSWERED_WITHIN_MS } = options;
  const maxConnections = connectionRoom(options.maxConnections ?? MAX_CONNECTIONS, DESCRIPTORS_EACH);
  const open = new Set<Passage>();
  let isClosed = false;

  function close(passage: Passage): void {
    if (!open.delete(passage)) return;
    clearTimeout(passage.timer);
    for (const end of passage.ends) {
      try {
        end.close();
      } catch {
        // It was closed already.
      }
    }
  }

  function expectAnswer(passage: Passage): void {
    passage.timer ??= setTimeout(() => close(passage), answeredWithinMs);
  }

  async function admit(client: Deno.TcpConn | SocketCarrier): Promise<void> {
    const passage: Passage = { ends: [client], usedAt: performance.now(), timer: undefined };
    open.add(passage);
    expectAnswer(passage);
    if (open.size > maxConnections) close(longestUnused(open));
    try {
      // No piece of an answer waits until the client has said that it has the one before.
      if ("setNoDelay" in client) client.setNoDelay(true);
      const server = await Deno.connect({ transport: "unix", path: socket });
      passage.ends.push(server);
      if (!open.has(passage)) return server.close();
      const forth = pump(client, server, () => {
        passage.usedAt = performance.now();
        expectAnswer(passage);
      }).then(() => server.closeWrite());
      const back = pump(server, client, () => {
        passage.usedAt = performance.now();
        clearTimeout(passage.timer);
        passage.timer = undefined;
      });
      // A client that has said all may still be answered; a server that has answered all will not.
      forth.catch(() => close(passage));
      await back;
      await client.closeWrite();
    } catch {
      // One of the two sides has gone: that is how connections end.
    } finally {
      close(passage);
    }
  }

  async function acceptAll(): Promise<void> {
    while (!isClosed) {
      try {
        void admit(await listener.accept());
      } catch (error) {
        if (isClosed || error instanceof Deno.errors.BadResource) return;
        await pause(systemClock, ACCEPT_AGAIN_MS);
      }
    }
  }

  void acceptAll();
  return {
    [Symbol.dispose]() {
      isClosed = true;
      listener.close();
      for (const passage of [...open]) close(passage);
    },
  };
}

function longestUnused(open: ReadonlySet<Passage>): Passage {
  let found: Passage | undefined;
  for (const passage of open) if (found === undefined || passage.usedAt < found.usedAt) found = passage;
  return found!;
}

async function pump(from: Carrier, to: Carrier, onBytes: () => void): Promise<void> {
  const buffer = new Uint8Array(BUFFER_BYTES);
  for (let read = await from.read(buffer); read !== null; read = await from.read(buffer)) {
    onBytes();
    for (let rest = buffer.subarray(0, read); rest.length > 0;) rest = rest.subarray(await to.write(rest));
  }
}
