/** A context that a client and a service share (GSS-API by Kerberos, RFC 4121): who they are, and what they seal. */
import type { Bytes } from "../../../net/mod.ts";
import { joinedBytes } from "../../../joined_bytes.ts";
import { application, Element } from "./asn1.ts";
import { kerberosError } from "./kerberos_error.ts";
import { Key, KeyMismatchError } from "./key.ts";
import { MessageError } from "../rpc_messages.ts";
import { type Authenticator, microsecondsOf, readServiceReply, serviceRequest, type Ticket } from "./messages.ts";
import { principalText } from "./principal.ts";

/** The number of the mechanism, 1.2.840.113554.1.2.2, as it is written. */
const MECHANISM = Uint8Array.fromHex("06092a864886f712010202");

/** What begins the tokens: a ticket that is shown, the proof of a service, bytes that are sealed. */
const TOKEN = { request: [1, 0], reply: [2, 0], wrapped: [5, 4] } as const;

/** The number of the sum that holds no sum: what the client wants of the context. */
const WANTED_SUM = 0x8003;

/** That the service proves who it is; that nothing is repeated or out of order; that bytes can be hidden, and summed. */
const WANTED = 2 | 4 | 8 | 16 | 32;

/** Uses of the key: bytes that the service sealed, and those that the client did. */
const USAGE = { acceptor: 22, initiator: 24 };

const FLAG = { sentByAcceptor: 1, isHidden: 2, acceptorKey: 4 };

const HEADER_BYTES = 16;
const FILLER = 0xff;

/** What a token has more than the bytes in it, at most. */
export const MOST_OVERHEAD = 128;

/** One side of the context: the client's. */
export class SecurityContext {
  readonly #ticket: Ticket;
  readonly #now: number;
  readonly #ownKey: Key;
  readonly #ownSequence = crypto.getRandomValues(new Uint32Array(1))[0]! >>> 2;
  #key: Key;
  #flags = 0;
  #sent = BigInt(this.#ownSequence);
  #got = 0n;

  /** `now`: milliseconds since 1970. */
  constructor(ticket: Ticket, now: number) {
    this.#ticket = ticket;
    this.#now = now;
    this.#ownKey = Key.random(ticket.key);
    this.#key = this.#ownKey;
  }

  /** Shows the ticket. */
  begin(): Bytes {
    const wanted = new Uint8Array(24);
    wanted[0] = 16; // The length of what follows: no channel is bound.
    wanted[20] = WANTED;
    const authenticator: Authenticator = {
      now: this.#now,
      sum: { type: WANTED_SUM, bytes: wanted },
      subkey: this.#ownKey,
      sequence: this.#ownSequence,
    };
    const request = serviceRequest(this.#ticket, authenticator);
    return new Uint8Array(
      application(0, new Element(joinedBytes([MECHANISM, Uint8Array.from(TOKEN.request), request]))),
    );
  }

  /** Takes the service's proof that it is the one that was asked for. @throws {StoreError} when it is not. */
  complete(token: Uint8Array): void {
    const who = principalText(this.#ticket.service);
    try {
      // The length in front says nothing that is needed: the reply has its own.
      const start = indexOf(token, MECHANISM) + MECHANISM.length;
      if (start < MECHANISM.length || token[start] !== TOKEN.reply[0] || token[start + 1] !== TOKEN.reply[1]) {
        throw new MessageError("it is no reply to a ticket");
      }
      const reply = readServiceReply(token.subarray(start + 2), this.#ticket.key);
      const isOurs = reply.seconds === Math.floor(this.#now / 1000) && reply.microseconds === microsecondsOf(this.#now);
      if (!isOurs) throw new KeyMismatchError("its proof is of another time");
      if (reply.subkey) {
        this.#key = reply.subkey;
        this.#flags = FLAG.acceptorKey;
      }
      this.#got = BigInt(reply.sequence ?? 0);
    } catch (error) {
      if (!(error instanceof MessageError || error instanceof KeyMismatchError)) throw error;
      throw kerberosError(`the service does not prove to be ${who}: ${error.message}`, "forbidden");
    }
  }

  /** Seals bytes: summed, and hidden where that is wanted. */
  wrap(bytes: Uint8Array, isHidden: boolean): Bytes {
    const flags = this.#flags | (isHidden ? FLAG.isHidden : 0);
    const sequence = this.#sent++;
    if (isHidden) {
      const header = headerOf(flags, 0, sequence);
      return joinedBytes([header, this.#key.encrypt(USAGE.initiator, joinedBytes([bytes, header]))]);
    }
    const sum = this.#key.checksum(USAGE.initiator, joinedBytes([bytes, headerOf(flags, 0, sequence)]));
    return joinedBytes([headerOf(flags, sum.length, sequence), bytes, sum]);
  }

  /** Opens bytes that the service sealed. @throws {StoreError} when they changed on the way, or are out of order. */
  unwrap(token: Uint8Array, isHidden: boolean): Bytes {
    try {
      return this.#unwrap(token, isHidden);
    } catch (error) {
      if (!(error instanceof MessageError || error instanceof KeyMismatchError)) throw error;
      throw kerberosError(`what the service sealed cannot be opened: ${error.message}`, "transient");
    }
  }

  #unwrap(token: Uint8Array, isHidden: boolean): Bytes {
    const [kind, kind2, flags = 0, filler] = token;
    const isWrapped = kind === TOKEN.wrapped[0] && kind2 === TOKEN.wrapped[1] && filler === FILLER;
    if (token.length < HEADER_BYTES || !isWrapped) {
      throw new MessageError("it is no sealed token");
    }
    const expected = FLAG.sentByAcceptor | (isHidden ? FLAG.isHidden : 0);
    if ((flags & ~FLAG.acceptorKey) !== expected) throw new MessageError("it is sealed in another way");
    const view = new DataView(token.buffer, token.byteOffset);
    const [extra, turned, sequence] = [view.getUint16(4), view.getUint16(6), view.getBigUint64(8)];
    const key = flags & FLAG.acceptorKey ? this.#key : this.#ownKey;
    const body = turnedBack(token.subarray(HEADER_BYTES), turned);
    const plain = isHidden
      ? hiddenBytes(key.decrypt(USAGE.acceptor, body), headerOf(flags, extra, sequence), extra)
      : summedBytes(key, body, { extra, header: headerOf(flags, 0, sequence) });
    if (sequence !== this.#got) throw new MessageError("it is out of order");
    this.#got++;
    return plain;
  }
}

/** `header`: as it was when it was encrypted too, behind the bytes and what fills them up. */
function hiddenBytes(plain: Bytes, header: Uint8Array, extra: number): Bytes {
  const end = plain.length - HEADER_BYTES;
  if (end < extra || indexOf(plain.subarray(Math.max(0, end)), header) !== 0) {
    throw new MessageError("its header was changed");
  }
  return plain.subarray(0, end - extra);
}

function summedBytes(
  key: Key,
  body: Bytes,
  { extra, header }: { readonly extra: number; readonly header: Uint8Array },
): Bytes {
  const end = body.length - extra;
  if (end < 0 || extra !== key.checksumBytes) throw new MessageError("its check sum has another size");
  const plain = body.subarray(0, end);
  key.verify(USAGE.acceptor, joinedBytes([plain, header]), body.subarray(end));
  return plain;
}

/** A header: `turned`, of which the number is zero whenever it is summed or encrypted, stands in none that we make. */
function headerOf(flags: number, extra: number, sequence: bigint): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  header.set([...TOKEN.wrapped, flags, FILLER]);
  const view = new DataView(header.buffer);
  view.setUint16(4, extra);
  view.setBigUint64(8, sequence);
  return header;
}

/** Bytes that were turned to the right by so many. */
function turnedBack(bytes: Uint8Array, turned: number): Bytes {
  const by = bytes.length === 0 ? 0 : turned % bytes.length;
  return joinedBytes([bytes.subarray(by), bytes.subarray(0, by)]);
}

/** The place where some bytes begin in others; -1 where they do not. */
function indexOf(bytes: Uint8Array, part: Uint8Array): number {
  const most = Math.min(bytes.length - part.length, HEADER_BYTES);
  for (let at = 0; at <= most; at++) if (part.every((byte, index) => bytes[at + index] === byte)) return at;
  return -1;
}
