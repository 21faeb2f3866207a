/** The parts of the files of Kerberos: numbers whose first byte counts most, and texts with their length in front. */
import { Reader } from "../rpc_messages.ts";

/** Reads them from the beginning to the end; throws a {@link MessageError} where they end too early. */
export class BigEndian extends Reader {
  /** A number of so many bytes, four at most. */
  uint(size: 1 | 2 | 4): number {
    return this.take(size).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  /** Bytes with their number in front. */
  counted(size: 2 | 4): Uint8Array {
    return this.take(this.uint(size));
  }

  text(size: 2 | 4): string {
    return new TextDecoder().decode(this.counted(size));
  }

  /** The number of things that follow, of which each takes a byte or more. */
  count(size: 2 | 4): number {
    const count = this.uint(size);
    // More than could follow is not believed.
    if (count > this.bytes.length) this.take(count);
    return count;
  }
}
