/**
 * A security context of a client and a service (GSS-API with Kerberos, RFC 4121): mutual authentication, and sealed
 * data.
 */
import type { Bytes } from "@tiphys/base/net";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { application, Element } from "./asn1.ts";
import { kerberosError } from "./kerberos_error.ts";
import { Key, KeyMismatchError } from "./key.ts";
import { MessageError } from "../rpc_messages.ts";
import { type Authenticator, microsecondsOf, readServiceReply, serviceRequest, type Ticket } from "./messages.ts";
import { principalText } from "./principal.ts";

/** The encoded identifier of the mechanism, 1.2.840.113554.1.2.2. */
const MECHANISM = Uint8Array.fromHex("06092a864886f712010202");

/** The types of tokens: a request with a ticket, the reply of a service, sealed data. */
const TOKEN = { request: [1, 0], reply: [2, 0], wrapped: [5, 4] } as const;

/** The checksum type that carries the requested flags instead of a checksum. */
const WANTED_SUM = 0x8003;

/** The requested flags: mutual authentication, replay and sequence detection, confidentiality, integrity. */
const WANTED = 2 | 4 | 8 | 16 | 32;

/** Key usages of sealed data, by sender. */
const USAGE = { acceptor: 22, initiator: 24 };

const FLAG = { sentByAcceptor: 1, isHidden: 2, acceptorKey: 4 };

const HEADER_BYTES = 16;
const FILLER = 0xff;

/** Maximum overhead of a token in bytes. */
export const MAX_OVERHEAD_BYTES = 128;

/** The client's side of the context. */
export class SecurityContext {
  readonly #ticket: Ticket;
  readonly #now: number;
  readonly #ownKey: Key;
  readonly #ownSequence = crypto.getRandomValues(new Uint32Array(1))[0]! >>> 2;
  #key: Key;
  #flags = 0;
  #sent = BigInt(this.#ownSequence);
  #got = 0n;

  /** @param now milliseconds since the epoch. */
  constructor(ticket: Ticket, now: number) {
    this.#ticket = ticket;
    this.#now = now;
    this.#ownKey = Key.random(ticket.key);
    this.#key = this.#ownKey;
  }

  /** Returns the token with the ticket. */
  begin(): Bytes {
    const wanted = new Uint8Array(24);
    wanted[0] = 16; // The length of the following field; no channel is bound.
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

  /**
   * Processes the service's reply, which proves its identity.
   * @throws {StoreError} when it does not.
   */
  complete(token: Uint8Array): void {
    const who = principalText(this.#ticket.service);
    try {
      // The outer length is not needed, because the reply has its own.
      const start = indexOf(token, MECHANISM) + MECHANISM.length;
      if (start < MECHANISM.length || token[start] !== TOKEN.reply[0] || token[start + 1] !== TOKEN.reply[1]) {
        throw new MessageError("it is not a reply to a ticket");
      }
      const reply = readServiceReply(token.subarray(start + 2), this.#ticket.key);
      const isOurs = reply.seconds === Math.floor(this.#now / 1000) && reply.microseconds === microsecondsOf(this.#now);
      if (!isOurs) throw new KeyMismatchError("its authenticator has another time");
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

  /** Seals data: with a checksum, and encrypted if `isHidden`. */
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

  /**
   * Opens data that the service sealed.
   * @throws {StoreError} when it was modified or is out of order.
   */
  unwrap(token: Uint8Array, isHidden: boolean): Bytes {
    try {
      return this.#unwrap(token, isHidden);
    } catch (error) {
      if (!(error instanceof MessageError || error instanceof KeyMismatchError)) throw error;
      throw kerberosError(`data sealed by the service cannot be opened: ${error.message}`, "transient");
    }
  }

  #unwrap(token: Uint8Array, isHidden: boolean): Bytes {
    const [kind, kind2, flags = 0, filler] = token;
    const isWrapped = kind === TOKEN.wrapped[0] && kind2 === TOKEN.wrapped[1] && filler === FILLER;
    if (token.length < HEADER_BYTES || !isWrapped) {
      throw new MessageError("it is not a sealed token");
    }
    const expected = FLAG.sentByAcceptor | (isHidden ? FLAG.isHidden : 0);
    if ((flags & ~FLAG.acceptorKey) !== expected) {
      throw new MessageError("its flags do not match the negotiated protection");
    }
    const view = new DataView(token.buffer, token.byteOffset);
    const [extra, turned, sequence] = [view.getUint16(4), view.getUint16(6), view.getBigUint64(8)];
    const key = flags & FLAG.acceptorKey ? this.#key : this.#ownKey;
    const body = rotateLeft(token.subarray(HEADER_BYTES), turned);
    const plain = isHidden
      ? removeVerifiedHeader(key.decrypt(USAGE.acceptor, body), headerOf(flags, extra, sequence), extra)
      : removeVerifiedChecksum(key, body, { extra, header: headerOf(flags, 0, sequence) });
    if (sequence !== this.#got) throw new MessageError("it is out of order");
    this.#got++;
    return plain;
  }
}

/** @param header the expected copy of the header, encrypted after the data and padding. */
function removeVerifiedHeader(plain: Bytes, header: Uint8Array, extra: number): Bytes {
  const end = plain.length - HEADER_BYTES;
  if (end < extra || indexOf(plain.subarray(Math.max(0, end)), header) !== 0) {
    throw new MessageError("its header was changed");
  }
  return plain.subarray(0, end - extra);
}

function removeVerifiedChecksum(
  key: Key,
  body: Bytes,
  { extra, header }: { readonly extra: number; readonly header: Uint8Array },
): Bytes {
  const end = body.length - extra;
  if (end < 0 || extra !== key.checksumBytes) throw new MessageError("its checksum has another size");
  const plain = body.subarray(0, end);
  key.verify(USAGE.acceptor, joinedBytes([plain, header]), body.subarray(end));
  return plain;
}

/** Returns a header. Its rotation is zero, as in every header that is summed or encrypted. */
function headerOf(flags: number, extra: number, sequence: bigint): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  header.set([...TOKEN.wrapped, flags, FILLER]);
  const view = new DataView(header.buffer);
  view.setUint16(4, extra);
  view.setBigUint64(8, sequence);
  return header;
}

/** Undoes a rotation to the right by `count` bytes. */
function rotateLeft(bytes: Uint8Array, count: number): Bytes {
  const by = bytes.length === 0 ? 0 : count % bytes.length;
  return joinedBytes([bytes.subarray(by), bytes.subarray(0, by)]);
}

/** Returns the index of a byte sequence in another; -1 if it is not found. */
function indexOf(bytes: Uint8Array, part: Uint8Array): number {
  const max = Math.min(bytes.length - part.length, HEADER_BYTES);
  for (let position = 0; position <= max; position++) {
    if (part.every((byte, index) => bytes[position + index] === byte)) return position;
  }
  return -1;
}
