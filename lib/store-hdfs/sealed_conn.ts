/** A connection with sealed pieces over another one. */
import { type Conn, Wire } from "./wire.ts";

/** Seals and opens pieces. */
export interface Sealing {
  /** Sends a piece of at most {@link Sealing.mostBytes}. */
  send(piece: Uint8Array): Promise<void>;
  /** Returns the next piece. */
  receive(): Promise<Uint8Array>;
  readonly mostBytes: number;
}

/** Creates the connection over another one. */
export function createSealedWire(wire: Wire, sealing: Sealing): Wire {
  let rest = new Uint8Array() as Uint8Array;
  const conn: Conn = {
    async read(into) {
      while (rest.length === 0) rest = await sealing.receive();
      const taken = rest.subarray(0, into.length);
      into.set(taken);
      rest = rest.subarray(taken.length);
      return taken.length;
    },
    async write(bytes) {
      const piece = bytes.subarray(0, sealing.mostBytes);
      await sealing.send(piece);
      return piece.length;
    },
    close: () => wire[Symbol.dispose](),
  };
  return Wire.wrap(conn, wire);
}
