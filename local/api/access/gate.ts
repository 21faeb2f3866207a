/**
 * The gate in front of an HTTP server: limits the number of connections, and the time that each may take without a
 * response. Each connection has its own server, on a socket file that only the gate connects to, so that the gate knows
 * whose connections and requests they are.
 */

import { pause, systemClock } from "@tiphys/base/clock";
import { allowedConnections, type Carrier, type SocketCarrier } from "@tiphys/base/net";
import { ANSWERED_WITHIN_MS, MAX_CONNECTIONS } from "../limits.ts";
import type { CarrierListener } from "./tls_listener.ts";

export interface GateOptions {
  /** The listener that clients connect to. */
  readonly listener: Deno.TcpListener | CarrierListener;
  /** An existing folder for socket files, which only this user can access. */
  readonly folder: string;
  readonly answer: (request: Request, client: GateClient) => Response | Promise<Response>;
  readonly maxConnections?: number;
  readonly answeredWithinMs?: number;
}

/** An open gate. Disposing of it closes all its connections. */
export interface Gate extends AsyncDisposable {}

/** The connection of a request. */
export interface GateClient {
  /**
   * Names the user of the connection, and the pod if the user has several. Above the maximum of connections, the user
   * with the most loses one. Connections without a name count as those of one user.
   */
  identify(user: string, pod?: string): void;
  /** Stops reading from the client until the result is called: Deno's sockets have no back pressure. */
  pauseReading(): () => void;
  /** Settles when the response has been sent, or the client has disconnected. */
  readonly completed: Promise<void>;
}

/** A client: its connection, and its server with the connection to it. */
interface Passage {
  readonly ends: Carrier[];
  /** Ends the server. */
  readonly stop: AbortController;
  user: string;
  pod: string;
  /** Resolves when reading from the client may continue. */
  held?: Promise<void> | undefined;
  /** The time at which bytes were last sent in either direction. */
  usedAt: number;
  /** Closes the connections unless there is a response. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

const BUFFER_BYTES = 64 * 1024;
/**
 * The file descriptors of one client: its connection, the listener of its server, and both ends of the connection to
 * it.
 */
const DESCRIPTORS_EACH = 4;
/** The pause before accepting again after the process ran out of file descriptors, in milliseconds. */
const ACCEPT_AGAIN_MS = 100;

/** Opens the gate. */
export function openGate(options: GateOptions): Gate {
  const { listener, folder, answeredWithinMs = ANSWERED_WITHIN_MS } = options;
  const maxConnections = allowedConnections(options.maxConnections ?? MAX_CONNECTIONS, DESCRIPTORS_EACH);
  const open = new Set<Passage>();
  const servers = new Set<Promise<void>>();
  let count = 0;
  let isClosed = false;

  function close(passage: Passage): void {
    if (!open.delete(passage)) return;
    clearTimeout(passage.timer);
    for (const end of passage.ends) {
      try {
        end.close();
      } catch {
        // It was already closed.
      }
    }
    passage.stop.abort();
  }

  function startAnswerTimeout(passage: Passage): void {
    // A client that is held back need not send anything.
    if (passage.held !== undefined) return;
    passage.timer ??= setTimeout(() => close(passage), answeredWithinMs);
  }

  function pauseReading(passage: Passage): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    passage.held = promise;
    clearTimeout(passage.timer);
    passage.timer = undefined;
    return () => {
      passage.held = undefined;
      resolve();
    };
  }

  /** Starts the server of a connection, and connects to it. */
  async function connectServer(passage: Passage): Promise<Deno.UnixConn> {
    const path = `${folder}/${++count}`;
    const handler = (request: Request, { completed }: Deno.ServeHandlerInfo<Deno.UnixAddr>) =>
      options.answer(request, {
        identify: (user, pod = "") => void Object.assign(passage, { user, pod }),
        pauseReading: () => pauseReading(passage),
        completed,
      });
    const { finished } = Deno.serve({ path, signal: passage.stop.signal, onListen() {} }, handler);
    const ended = finished.catch(() => {}).then(() => {
      servers.delete(ended);
      close(passage);
    });
    servers.add(ended);
    try {
      return await Deno.connect({ transport: "unix", path });
    } finally {
      await Deno.remove(path).catch(() => {});
    }
  }

  async function serveConnection(client: Deno.TcpConn | SocketCarrier): Promise<void> {
    const passage: Passage = {
      ends: [client],
      stop: new AbortController(),
      user: "",
      pod: "",
      usedAt: performance.now(),
      timer: undefined,
    };
    open.add(passage);
    startAnswerTimeout(passage);
    if (open.size > maxConnections) close(leastImportant(open));
    try {
      // Without it, pieces of a response would wait for the acknowledgment of the previous one.
      if ("setNoDelay" in client) client.setNoDelay(true);
      if (!open.has(passage)) return;
      const server = await connectServer(passage);
      passage.ends.push(server);
      if (!open.has(passage)) return server.close();
      const forth = forwardBytes(client, server, () => {
        passage.usedAt = performance.now();
        startAnswerTimeout(passage);
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
      // One side has disconnected, which is how connections end, or no more descriptors are available.
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
    async [Symbol.asyncDispose]() {
      isClosed = true;
      listener.close();
      for (const passage of [...open]) close(passage);
      await Promise.all(servers);
    },
  };
}

/** The least recently used connection of the user with the most connections, and of this user's pod with the most. */
function leastImportant(open: ReadonlySet<Passage>): Passage {
  const ofUser = largestGroups([...open], ({ user }) => user);
  const ofPod = largestGroups(ofUser, ({ user, pod }) => `${user} ${pod}`);
  return ofPod.reduce((oldest, passage) => passage.usedAt < oldest.usedAt ? passage : oldest);
}

/** The connections of the largest group; of all largest groups if several have the same size. */
function largestGroups(passages: readonly Passage[], groupOf: (passage: Passage) => string): Passage[] {
  const groups = [...Map.groupBy(passages, groupOf).values()];
  const size = Math.max(...groups.map(({ length }) => length));
  return groups.filter(({ length }) => length === size).flat();
}

async function forwardBytes(
  from: Carrier,
  to: Carrier,
  onBytes: () => void,
  held: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  const buffer = new Uint8Array(BUFFER_BYTES);
  for (let read = await from.read(buffer); read !== null; read = await from.read(buffer)) {
    onBytes();
    for (let rest = buffer.subarray(0, read); rest.length > 0;) rest = rest.subarray(await to.write(rest));
    await held();
  }
}
