/** Byte counts of an HTTP/2 connection. */
import type { Http2Session } from "node:http2";

/** The connection of an HTTP/2 session. Accessing it throws after the session has detached it. */
export type Connection =
  | Pick<Http2Session["socket"], "writableLength" | "bytesWritten" | "bytesRead" | "resetAndDestroy">
  | undefined;

/** Returns the number of buffered bytes; 0 after the session has detached the connection. */
export function unsentBy(connection: Connection): number {
  try {
    return connection?.writableLength ?? 0;
  } catch {
    return 0;
  }
}

/** Returns the number of bytes sent; NaN after the session has detached the connection. */
export function sentBy(connection: Connection): number {
  try {
    return (connection?.bytesWritten ?? 0) - (connection?.writableLength ?? 0);
  } catch {
    return NaN;
  }
}

/** Returns the number of bytes received; NaN after the session has detached the connection. */
export function receivedBy(connection: Connection): number {
  try {
    return connection?.bytesRead ?? 0;
  } catch {
    return NaN;
  }
}
