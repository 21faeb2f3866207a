/** Keytabs: files with the keys of principals, as `kadmin` and `ktutil` write them. */
import { MessageError } from "../rpc_messages.ts";
import { BigEndian } from "./big_endian.ts";
import type { Principal } from "./principal.ts";

/** The version of the file: 5.2. */
const VERSION = 0x0502;

/** A key of a keytab; of a type of encryption that may be none that is known here. */
export interface KeytabEntry {
  readonly principal: Principal;
  /** The number of the key's version. */
  readonly version: number;
  readonly encryption: number;
  readonly key: Uint8Array;
}

/**
 * Reads a keytab.
 * @throws {MessageError} when it is none.
 */
export function readKeytab(bytes: Uint8Array): KeytabEntry[] {
  const file = new BigEndian(bytes);
  if (bytes.length < 2 || file.uint(2) !== VERSION) throw new MessageError("it does not begin as a keytab does");
  const entries: KeytabEntry[] = [];
  while (!file.isOver) {
    // The place of an entry that was removed has a negative size.
    const size = file.uint(4) | 0;
    const entry = new BigEndian(file.take(Math.abs(size)));
    if (size > 0) entries.push(entryOf(entry));
  }
  return entries;
}

function entryOf(entry: BigEndian): KeytabEntry {
  const count = entry.count(2);
  const realm = entry.text(2);
  const parts = Array.from({ length: count }, () => entry.text(2));
  entry.take(8); // The kind of the name, and the time at which the key was written.
  const short = entry.uint(1);
  const encryption = entry.uint(2);
  const key = entry.counted(2);
  const long = entry.left >= 4 ? entry.uint(4) : 0;
  return { principal: { realm, parts }, version: long || short, encryption, key };
}
