/** Credential caches: files with a user's tickets, as written by `kinit`. */
import { MessageError } from "../rpc_messages.ts";
import { BigEndian } from "./big_endian.ts";
import type { Principal } from "./principal.ts";

/** The file versions: 5.3, and 5.4, which has a header. */
const VERSIONS = [0x0503, 0x0504];

/** The realm of entries that are not tickets, but configuration of programs. */
const NOTES = "X-CACHECONF:";

/** A ticket in a cache. */
export interface CachedTicket {
  readonly client: Principal;
  readonly server: Principal;
  readonly encryption: number;
  readonly key: Uint8Array;
  /** Expiration time in milliseconds since the epoch. */
  readonly end: number;
  readonly ticket: Uint8Array;
}

/** A cache: its owner and the tickets. */
export interface CredentialCache {
  readonly client: Principal;
  readonly tickets: readonly CachedTicket[];
}

/**
 * Parses a credential cache.
 * @throws {MessageError} when it is invalid, or has an outdated version.
 */
export function readCredentialCache(bytes: Uint8Array): CredentialCache {
  const file = new BigEndian(bytes);
  const version = bytes.length < 2 ? 0 : file.uint(2);
  if (!VERSIONS.includes(version)) throw new MessageError("it is not a credential cache: its first bytes are invalid");
  if (version === 0x0504) file.counted(2);
  const client = principalOf(file);
  const tickets: CachedTicket[] = [];
  while (!file.isOver) {
    const ticket = ticketOf(file, version);
    if (ticket.server.realm !== NOTES) tickets.push(ticket);
  }
  return { client, tickets };
}

function principalOf(file: BigEndian): Principal {
  file.uint(4); // The type of the name.
  const count = file.count(4);
  const realm = file.text(4);
  return { realm, parts: Array.from({ length: count }, () => file.text(4)) };
}

function ticketOf(file: BigEndian, version: number): CachedTicket {
  const client = principalOf(file);
  const server = principalOf(file);
  const encryption = file.uint(2);
  if (version === 0x0503) file.uint(2);
  const key = file.counted(4);
  file.take(8); // The authentication time and start time.
  const end = file.uint(4) * 1000;
  file.take(9); // The renewal time, a flag about the key, and the ticket flags.
  for (const _ of ["addresses", "data of authorization"]) {
    for (let left = file.count(4); left > 0; left--) {
      file.uint(2);
      file.counted(4);
    }
  }
  const ticket = file.counted(4);
  file.counted(4); // A second ticket.
  return { client, server, encryption, key, end, ticket };
}
