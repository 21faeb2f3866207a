/** An HTTP server on a socket file that recovers where Deno's own stops: after the process ran out of file descriptors. */
import { pause, systemClock } from "@tiphys/base/clock";

/** The pause before listening again, in milliseconds. */
const AGAIN_MS = 100;

/** A running server. */
export interface SocketServer {
  /** Ends all requests. Resolves when nothing is listening. */
  close(): Promise<void>;
}

/**
 * Serves requests on a socket file. If the server stops, for example for lack of descriptors, it restarts until it is closed.
 * @throws if it cannot listen at first.
 */
export function serveSocket(path: string, answer: (request: Request) => Response | Promise<Response>): SocketServer {
  const stop = new AbortController();
  const begin = () => Deno.serve({ signal: stop.signal, path, onListen() {} }, answer).finished;
  const first = begin();
  const goOn = async () => {
    for (let running = first; !stop.signal.aborted;) {
      // It may also end without an error. Only an aborted signal means that it was closed.
      await running.catch(() => {});
      if (stop.signal.aborted) return;
      await pause(systemClock, AGAIN_MS, stop.signal).catch(() => {});
      if (stop.signal.aborted) return;
      try {
        Deno.removeSync(path);
      } catch { /* It went with the one before. */ }
      try {
        running = begin();
      } catch { /* There is still no room. */ }
    }
  };
  const over = goOn();
  return {
    async close() {
      stop.abort();
      await over;
    },
  };
}
