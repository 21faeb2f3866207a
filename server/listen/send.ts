/** Answers on their way to clients: no faster than those read, and given up where they do not. */
import type { ServerResponse } from "node:http";
import type { Http2ServerResponse, Http2Session } from "node:http2";
import { trailersOf } from "../wire/trailers.ts";
import { wholeTextOf } from "../wire/whole_text.ts";
import { type ClientWait, MACHINE, STALL_MILLIS } from "./client_wait.ts";
import { sentBy, unsentBy } from "./connection_bytes.ts";

/** An answer of either protocol, as Node's servers have it. */
export type AnyResponse = ServerResponse | Http2ServerResponse;

/** The client that an answer is for. */
export interface Sending extends ClientWait {
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/** The most bytes that are handed to a connection at once: a client that reads takes so many before it is given up. */
const PIECE_BYTES = 64 << 10;
/** The bytes that may wait in a connection of HTTP/2 before its streams wait for them. */
const MOST_UNSENT = 1 << 20;

/** Headers that belong to a connection, which HTTP/2 forbids. */
const OF_CONNECTIONS = new Set(["connection", "keep-alive", "transfer-encoding"]);

/** Sends a response; one that breaks off, and one whose client reads nothing for too long, ends without looking whole. */
export async function send(response: Response, outgoing: AnyResponse, sending: Sending): Promise<void> {
  const { signal, stallMillis = STALL_MILLIS, timers = MACHINE } = sending;
  const waiting = { signal, stallMillis, timers };
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) if (!OF_CONNECTIONS.has(name)) outgoing.setHeader(name, value);
  const text = wholeTextOf(response);
  if (text !== undefined && !isUnread(outgoing)) return end(outgoing, waiting, text);
  if (!response.body) return end(outgoing, waiting);
  const reader = response.body.getReader();
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  if ("flushHeaders" in outgoing) outgoing.flushHeaders();
  try {
    for (let read = await reader.read(); !read.done && !signal.aborted; read = await reader.read()) {
      for (let at = 0; at < read.value.length && !signal.aborted; at += PIECE_BYTES) {
        await write(outgoing, read.value.subarray(at, at + PIECE_BYTES), waiting);
      }
    }
  } catch (error) {
    outgoing.destroy(error instanceof Error ? error : undefined);
    // The source has an end, too, where nobody reads it.
    cancel();
    return;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
  if (signal.aborted) return;
  const trailers = trailersOf(response)?.();
  if (trailers) (outgoing as ServerResponse).addTrailers(Object.fromEntries(trailers));
  end(outgoing, waiting);
}

type Waiting = Required<Sending>;

/** The session of an answer over HTTP/2. */
function sessionOf(outgoing: AnyResponse): Http2Session | undefined {
  return "stream" in outgoing ? outgoing.stream?.session : undefined;
}

/** Whether much waits for the client already. */
function isUnread(outgoing: AnyResponse): boolean {
  const session = sessionOf(outgoing);
  return session !== undefined && isFull(session);
}

/** Resolves when a piece is on its way and there is room for the next. @throws {Error} where there is none for too long. */
async function write(outgoing: AnyResponse, piece: Uint8Array, waiting: Waiting): Promise<void> {
  const session = sessionOf(outgoing);
  if (session && isFull(session)) {
    try {
      await within(waiting, (done) => whenSent(session, done), () => sentBy(session.socket));
    } catch (error) {
      // The whole connection is not read. To destroy the session would be to wait until what it has is sent.
      session.socket?.resetAndDestroy();
      throw error;
    }
  }
  if (waiting.signal.aborted || (outgoing as ServerResponse).write(piece)) return;
  await within(waiting, (done) => {
    outgoing.once("drain", done);
    return () => outgoing.off("drain", done);
  });
}

/**
 * Resolves when `done` is called, or the client has left; `wait` says how not to wait any more. While the number of `taken`
 * grows, the client is waited for.
 */
function within(
  { signal, stallMillis, timers }: Waiting,
  wait: (done: () => void) => () => void,
  taken: () => number = () => 0,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = (settle: () => void) => () => {
      takeBack();
      signal.removeEventListener("abort", done);
      stop();
      settle();
    };
    const done = over(resolve);
    const late = over(() => reject(new Error(`Expected the client to read within ${stallMillis} ms, it has not`)));
    let before = taken();
    const look = () => {
      const now = taken();
      if (now === before) return late();
      before = now;
      takeBack = timers.after(stallMillis, look);
    };
    let takeBack = timers.after(stallMillis, look);
    signal.addEventListener("abort", done, { once: true });
    const stop = wait(done);
  });
}

/**
 * Whether much waits in the connection of a session. In Deno, streams of HTTP/2 are told that there is room as long as the
 * client's windows allow it, which may be 2 GiB, whether the connection takes anything or not.
 */
function isFull({ socket }: Http2Session): boolean {
  return unsentBy(socket) > MOST_UNSENT;
}

/** The streams that wait until the connection of their session has sent what it has; it is listened to once for all. */
const waiters = new WeakMap<Http2Session, Set<() => void>>();

function whenSent(session: Http2Session, done: () => void): () => void {
  const found = waiters.get(session);
  const all = found ?? new Set();
  all.add(done);
  if (!found) {
    waiters.set(session, all);
    session.socket.once("drain", () => {
      waiters.delete(session);
      for (const one of all) one();
    });
  }
  return () => void all.delete(done);
}

/** Ends an answer, with a text where that is all of it; a client that does not read the rest of it is given up. */
function end(outgoing: AnyResponse, { stallMillis, timers }: Waiting, text?: string): void {
  const done = timers.after(stallMillis, () => void outgoing.destroy());
  outgoing.once("close", done);
  outgoing.once("finish", done);
  if (text === undefined) outgoing.end();
  else (outgoing as ServerResponse).end(text);
}
