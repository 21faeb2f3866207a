/** The interface through which a parser reads from a connection. */

/** Bytes in an ArrayBuffer. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The receiving side of a connection. */
export interface ByteSource {
  /** Received bytes that are not consumed yet: a view that {@link readMore} and {@link some} may overwrite. */
  readonly bytes: Bytes;
  /** Consumes bytes. */
  consume(count: number): void;
  /** Waits for more bytes if all are consumed; returns false at the end of the connection. */
  readMore(): Promise<boolean>;
  /**
   * Consumes up to `max` bytes of a body: received ones, or else the next to arrive; undefined at the end of the
   * connection. If the connection uses `into`, the result is its beginning; otherwise the connection defines how long
   * the result stays valid.
   */
  some(max: number, into?: Bytes): Promise<Bytes | undefined>;
}
