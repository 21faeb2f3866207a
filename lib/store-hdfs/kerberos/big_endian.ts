/** Parses values in files of Kerberos: big-endian numbers, and length-prefixed texts. */
import { Reader } from "../rpc_messages.ts";

/** Reads bytes sequentially. An early end is a {@link MessageError}. */
export class BigEndian extends Reader {
  /** Returns a number of `size` bytes. */
  uint(size: 1 | 2 | 4): number {
    return this.take(size).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  /** Returns bytes with a length prefix. */
  counted(size: 2 | 4): Uint8Array {
    return this.take(this.uint(size));
  }

  text(size: 2 | 4): string {
    return new TextDecoder().decode(this.counted(size));
  }

  /** Returns the number of the following elements, each of which has at least one byte. */
  count(size: 2 | 4): number {
    const count = this.uint(size);
    // A count that exceeds the data is rejected.
    if (count > this.bytes.length) this.take(count);
    return count;
  }
}
