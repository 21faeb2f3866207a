/** The bytes that have gone over a connection of HTTP/2, and those that wait in it. */
import type { Http2Session } from "node:http2";

/** A connection as its session shows it; to ask one for anything that its session has let go of throws. */
export type Connection =
  | Pick<Http2Session["socket"], "writableLength" | "bytesWritten" | "bytesRead" | "resetAndDestroy">
  | undefined;

/** The bytes that wait in a connection; none once its session has let go of it. */
export function unsentBy(connection: Connection): number {
  try {
    return connection?.writableLength ?? 0;
  } catch {
    return 0;
  }
}

/** The bytes that a connection has taken; no number once its session has let go of it. */
export function sentBy(connection: Connection): number {
  try {
    return (connection?.bytesWritten ?? 0) - (connection?.writableLength ?? 0);
  } catch {
    return NaN;
  }
}

/** The bytes that have come over a connection; no number once its session has let go of it. */
export function receivedBy(connection: Connection): number {
  try {
    return connection?.bytesRead ?? 0;
  } catch {
    return NaN;
  }
}
