/** A server of HTTP behind a socket file that goes on where Deno's own gives up: as soon as the process had no descriptor left. */
import { pause, systemClock } from "@tiphys/base/clock";

/** The pause before the file is listened on again, in milliseconds. */
const AGAIN_MS = 100;

/** A server that answers. */
export interface SocketServer {
  /** Ends requests and all; resolves when nothing listens any more. */
  close(): Promise<void>;
}

/**
 * Answers what comes to a socket file. Where that ends, as for want of descriptors, it begins anew until it is closed.
 * @throws when the file cannot be listened on at first.
 */
export function serveSocket(path: string, answer: (request: Request) => Response | Promise<Response>): SocketServer {
  const stop = new AbortController();
  const begin = () => Deno.serve({ signal: stop.signal, path, onListen() {} }, answer).finished;
  const first = begin();
  const goOn = async () => {
    for (let running = first; !stop.signal.aborted;) {
      // Not only what fails may end it: who closes it says so by the signal.
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
