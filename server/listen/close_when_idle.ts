/** The idle timeout of HTTP/2 sessions. */
import type { Http2Session } from "node:http2";
import { MACHINE, type Timers } from "./client_wait.ts";
import { receivedBy, sentBy, unsentBy } from "./connection_bytes.ts";

/**
 * Closes a session that is idle for `restMillis`; its open streams continue. If its connection then accepts none of its
 * buffered data for the same time, the connection is reset. Call the returned function to stop watching. (A session's
 * own timer, in Deno, keeps the session in memory until the timeout, even if it has ended before.)
 */
export function closeWhenIdle(
  session: Pick<Http2Session, "socket" | "close">,
  restMillis: number,
  { after }: Timers = MACHINE,
): () => void {
  const { socket } = session;
  const seen = () => ({ received: receivedBy(socket), sent: sentBy(socket), unsent: unsentBy(socket) });
  let takeBack = () => {};
  let isClosed = false;
  const watch = (before: ReturnType<typeof seen>) => {
    takeBack = after(restMillis, () => {
      const now = seen();
      const takesNothing = now.sent === before.sent;
      if (isClosed && takesNothing && before.unsent > 0 && now.unsent > 0) return void socket.resetAndDestroy();
      if (!isClosed && takesNothing && now.received === before.received) {
        isClosed = true;
        session.close();
      }
      watch(now);
    });
  };
  watch(seen());
  return () => takeBack();
}
