/** Sending of responses with back pressure and a timeout for clients that do not read. */
import type { ServerResponse } from "node:http";
import type { Http2ServerResponse, Http2Session } from "node:http2";
import { trailersOf } from "../wire/trailers.ts";
import { wholeTextOf } from "../wire/whole_text.ts";
import { type ClientWait, MACHINE, STALL_MILLIS } from "./client_wait.ts";
import { sentBy, unsentBy } from "./connection_bytes.ts";

/** A Node response of either protocol. */
export type AnyResponse = ServerResponse | Http2ServerResponse;

/** The client of a response. */
export interface SendOptions extends ClientWait {
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** The number of bytes passed to a connection at once. A client must read that many before its timeout. */
const PIECE_BYTES = 64 << 10;
/** The number of buffered bytes of an HTTP/2 connection above which its streams wait. */
const MAX_UNSENT_BYTES = 1 << 20;

/** Connection-specific headers, which HTTP/2 forbids. */
const OF_CONNECTIONS = new Set(["connection", "keep-alive", "transfer-encoding"]);

/**
 * Sends a response. A failed source, and a client that reads nothing for too long, end it so that it is not mistaken
 * for complete.
 */
export async function send(response: Response, outgoing: AnyResponse, options: SendOptions): Promise<void> {
  const { signal, stallMillis = STALL_MILLIS, timers = MACHINE } = options;
  const waiting = { signal, stallMillis, timers };
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) if (!OF_CONNECTIONS.has(name)) outgoing.setHeader(name, value);
  const text = wholeTextOf(response);
  if (text !== undefined && !hasUnreadData(outgoing)) return end(outgoing, waiting, text);
  if (!response.body) return end(outgoing, waiting);
  const reader = response.body.getReader();
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  if ("flushHeaders" in outgoing) outgoing.flushHeaders();
  try {
    for (let read = await reader.read(); !read.done && !signal.aborted; read = await reader.read()) {
      for (let offset = 0; offset < read.value.length && !signal.aborted; offset += PIECE_BYTES) {
        await write(outgoing, read.value.subarray(offset, offset + PIECE_BYTES), waiting);
      }
    }
  } catch (error) {
    outgoing.destroy(error instanceof Error ? error : undefined);
    // The source must be canceled even if it is no longer read.
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

type Waiting = Required<SendOptions>;

/** Returns the session of an HTTP/2 response. */
function sessionOf(outgoing: AnyResponse): Http2Session | undefined {
  return "stream" in outgoing ? outgoing.stream?.session : undefined;
}

/** Whether the client already has too much unread data. */
function hasUnreadData(outgoing: AnyResponse): boolean {
  const session = sessionOf(outgoing);
  return session !== undefined && isFull(session);
}

/**
 * Resolves when a piece was passed to the connection and there is room for the next. @throws {Error} after the timeout.
 */
async function write(outgoing: AnyResponse, piece: Uint8Array, waiting: Waiting): Promise<void> {
  const session = sessionOf(outgoing);
  if (session && isFull(session)) {
    try {
      await sendWithTimeout(waiting, (done) => onDrained(session, done), () => sentBy(session.socket));
    } catch (error) {
      // The whole connection is not being read. Destroying the session would wait until its buffered data is sent.
      session.socket?.resetAndDestroy();
      throw error;
    }
  }
  if (waiting.signal.aborted || (outgoing as ServerResponse).write(piece)) return;
  await sendWithTimeout(waiting, (done) => {
    outgoing.once("drain", done);
    return () => outgoing.off("drain", done);
  });
}

/**
 * Resolves when `done` is called or the client has disconnected. `wait` registers `done` and returns the function that
 * removes it. The timeout restarts while `progress` increases.
 */
function sendWithTimeout(
  { signal, stallMillis, timers }: Waiting,
  wait: (done: () => void) => () => void,
  progress: () => number = () => 0,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = (settle: () => void) => () => {
      takeBack();
      signal.removeEventListener("abort", done);
      stop();
      settle();
    };
    const done = over(resolve);
    const late = over(() => reject(new Error(`The client has not read for ${stallMillis} ms`)));
    let before = progress();
    const look = () => {
      const now = progress();
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
 * Whether too much data is buffered in a session's connection. In Deno, HTTP/2 streams report room as long as the
 * client's flow control window allows, which may be 2 GiB, even if the connection is blocked.
 */
function isFull({ socket }: Http2Session): boolean {
  return unsentBy(socket) > MAX_UNSENT_BYTES;
}

/** The streams that wait for the connection of their session to drain. One listener serves all of them. */
const waiters = new WeakMap<Http2Session, Set<() => void>>();

function onDrained(session: Http2Session, done: () => void): () => void {
  const found = waiters.get(session);
  const all = found ?? new Set();
  all.add(done);
  if (!found) {
    waiters.set(session, all);
    session.socket.once("drain", () => {
      waiters.delete(session);
      for (const release of all) release();
    });
  }
  return () => void all.delete(done);
}

/**
 * Ends a response, with the text if that is the whole response. A client that does not read the rest is disconnected
 * after the timeout.
 */
function end(outgoing: AnyResponse, { stallMillis, timers }: Waiting, text?: string): void {
  const done = timers.after(stallMillis, () => void outgoing.destroy());
  outgoing.once("close", done);
  outgoing.once("finish", done);
  if (text === undefined) outgoing.end();
  else (outgoing as ServerResponse).end(text);
}
