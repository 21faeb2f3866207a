/** Keytabs: files with the keys of principals, as written by `kadmin` and `ktutil`. */
import { MessageError } from "../rpc_messages.ts";
import { BigEndian } from "./big_endian.ts";
import type { Principal } from "./principal.ts";

/** The file version: 5.2. */
const VERSION = 0x0502;

/** A key of a keytab. Its encryption type may be unsupported. */
export interface KeytabEntry {
  readonly principal: Principal;
  /** The version number of the key. */
  readonly version: number;
  readonly encryption: number;
  readonly key: Uint8Array;
}

/**
 * Parses a keytab.
 * @throws {MessageError} when it is invalid.
 */
export function readKeytab(bytes: Uint8Array): KeytabEntry[] {
  const file = new BigEndian(bytes);
  if (bytes.length < 2 || file.uint(2) !== VERSION) {
    throw new MessageError("it is not a keytab: its first bytes are invalid");
  }
  const entries: KeytabEntry[] = [];
  while (!file.isOver) {
    // A removed entry has a negative size.
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
  entry.take(8); // The type of the name, and the time at which the key was written.
  const short = entry.uint(1);
  const encryption = entry.uint(2);
  const key = entry.counted(2);
  const long = entry.left >= 4 ? entry.uint(4) : 0;
  return { principal: { realm, parts }, version: long || short, encryption, key };
}
