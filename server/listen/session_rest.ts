/** Sessions of HTTP/2 that rest: over which nothing goes. */
import type { Http2Session } from "node:http2";
import { MACHINE, type Timers } from "./client_wait.ts";
import { receivedBy, sentBy, unsentBy } from "./connection_bytes.ts";

/**
 * Closes a session that rests for a time: its streams that are open, and silent, go on. Where its connection then takes nothing
 * of what waits for it for as long again, that is ended. The answer ends all looking. (A session's own timer, in Deno, keeps the
 * session and all that it holds until the time is over, also where it has ended long before.)
 */
export function leaveAtRest(
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
