/** Credential caches: files with the tickets that somebody has, as `kinit` writes them. */
import { MessageError } from "../rpc_messages.ts";
import { BigEndian } from "./big_endian.ts";
import type { Principal } from "./principal.ts";

/** The versions of the file: 5.3, and 5.4, which has a header. */
const VERSIONS = [0x0503, 0x0504];

/** The realm of what is no ticket: notes of the programs that wrote the file. */
const NOTES = "X-CACHECONF:";

/** A ticket of a cache. */
export interface CachedTicket {
  readonly client: Principal;
  readonly server: Principal;
  readonly encryption: number;
  readonly key: Uint8Array;
  /** Milliseconds since 1970. */
  readonly end: number;
  readonly ticket: Uint8Array;
}

/** A cache: who it is of, and the tickets. */
export interface CredentialCache {
  readonly client: Principal;
  readonly tickets: readonly CachedTicket[];
}

/**
 * Reads a credential cache.
 * @throws {MessageError} when it is none, or one of a version that has not been written for long.
 */
export function readCredentialCache(bytes: Uint8Array): CredentialCache {
  const file = new BigEndian(bytes);
  const version = bytes.length < 2 ? 0 : file.uint(2);
  if (!VERSIONS.includes(version)) throw new MessageError("it does not begin as a credential cache does");
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
  file.uint(4); // The kind of the name.
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
  file.take(8); // When the user proved to be there, and when the ticket begins to count.
  const end = file.uint(4) * 1000;
  file.take(9); // How long it can be renewed, whose key it is, its flags.
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
