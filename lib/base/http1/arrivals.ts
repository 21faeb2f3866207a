/** The bytes that come in on a connection, as the reader of a message asks for them. */

/** Bytes in a buffer of their own. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** One end of a connection: what came and was not taken yet, and what comes next. */
export interface Arrivals {
  /** The bytes that came and were not taken: a view that {@link more} and {@link some} may overwrite. */
  readonly bytes: Bytes;
  take(count: number): void;
  /** Waits, when all bytes were taken, for the next ones; false at the end of the connection. */
  more(): Promise<boolean>;
  /**
   * Takes at most so many bytes of a body, those that came already or else the next ones; undefined at the end of the
   * connection. Where the connection takes `into`, they are its beginning; else the connection says how long they stay as
   * they are.
   */
  some(most: number, into?: Bytes): Promise<Bytes | undefined>;
}
