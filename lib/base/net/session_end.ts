/** The end of HTTP/2 sessions. */
import { setImmediate } from "node:timers";

/** The methods of a session of `node:http2` that end it. */
interface EndableSession {
  close(callback?: () => void): void;
  destroy(error?: Error, code?: number): void;
}

/**
 * Makes a session of `node:http2` end in a later turn instead of inside the callback that ends it, and returns it. Call
 * it as soon as the session exists.
 *
 * Deno 2.9 frees its native session at once, also while the native library still reads a frame: a GOAWAY of the peer
 * then aborts the process or makes it read freed memory (https://github.com/denoland/deno/issues/36788).
 */
export function deferSessionEnd<Session extends EndableSession>(session: Session): Session {
  const close = session.close.bind(session);
  const destroy = session.destroy.bind(session);
  const prototype = Object.getPrototypeOf(session);
  let isEnding = false;
  const later = (end: () => void) => {
    isEnding = true;
    setImmediate(() => {
      isEnding = false;
      end();
    });
  };
  session.close = (callback) => later(() => close(callback));
  session.destroy = (error, code) => later(() => destroy(error, code));
  // A session that is about to end takes no more requests.
  Object.defineProperty(session, "closed", { get: () => isEnding || Reflect.get(prototype, "closed", session) });
  return session;
}
