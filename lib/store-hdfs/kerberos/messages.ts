/** The messages of Kerberos 5 between a client and servers (RFC 4120). */
import { application, Element, Fields, fieldsOf, flags, listOf, readFieldsList, time } from "./asn1.ts";
import { Key } from "./key.ts";
import type { Principal } from "./principal.ts";

const VERSION = 5;

/** Message numbers. */
const MESSAGE = {
  authenticator: 2,
  asRequest: 10,
  asReply: 11,
  ticketRequest: 12,
  ticketReply: 13,
  apRequest: 14,
  apReply: 15,
  asPart: 25,
  ticketPart: 26,
  apPart: 27,
  error: 30,
};

/** Key usage numbers. */
const USAGE = {
  timestamp: 1,
  asReply: 3,
  ticketRequestSum: 6,
  ticketRequest: 7,
  ticketReply: 8,
  apRequest: 11,
  apReply: 12,
};

/** Types of preauthentication data. */
const PROOF = { ticketRequest: 1, timestamp: 2, encryptionTypes: 19 };

/** Name types: a user, a service, a service on a host. */
const NAME = { person: 1, service: 2, host: 3 };

/** The server may refer to the realm of the service. */
const OPTION_CANONICALIZE = 0x00010000;

/** The service must prove its identity, too. */
const OPTION_MUTUAL = 0x20000000;

/** A ticket, and the session key that its holder shares with the service. */
export interface Ticket {
  readonly client: Principal;
  readonly service: Principal;
  /** The ticket, encrypted for the service. */
  readonly bytes: Uint8Array;
  readonly key: Key;
  /** Expiration time in milliseconds since the epoch. */
  readonly end: number;
}

/** A request for a ticket. */
export interface TicketQuestion {
  readonly service: Principal;
  /** The numbers of encryption types that the client supports. */
  readonly encryptions: readonly number[];
  readonly nonce: number;
  /** Milliseconds since the epoch. */
  readonly till: number;
}

/** A response with a ticket. Its inner part is encrypted. */
export interface TicketAnswer {
  readonly client: Principal;
  readonly ticket: Uint8Array;
  readonly sealed: SealedBytes;
}

/** Encrypted bytes. */
interface SealedBytes {
  readonly encryption: number;
  readonly version: number | undefined;
  readonly bytes: Uint8Array;
}

/** The encrypted part of a response. */
export interface TicketPart {
  readonly key: Key;
  readonly nonce: number;
  /** Milliseconds since the epoch: the authentication time, and the expiration time of the ticket. */
  readonly authenticated: number;
  readonly end: number;
  readonly service: Principal;
}

/** A rejection. */
export interface KerberosFailure {
  readonly code: number;
  /** The server's time in milliseconds since the epoch. */
  readonly serverTime: number;
  readonly text: string | undefined;
  readonly more: Uint8Array | undefined;
}

/** Builds a request for a first ticket. `proof` is the key for preauthentication, if the server requires it. */
export function asRequest(
  client: Principal,
  question: TicketQuestion,
  proof?: { readonly key: Key; readonly now: number },
): Uint8Array {
  const stamp = proof && sealElement(
    proof.key,
    USAGE.timestamp,
    fieldsOf([[0, time(proof.now)], [1, microsecondsOf(proof.now)]]).bytes,
  );
  return encodeRequest(
    MESSAGE.asRequest,
    bodyOf(question, 0, client),
    stamp ? [encodePreAuthentication(PROOF.timestamp, stamp.bytes)] : [],
  );
}

/** Builds a request for a ticket of a service, with a ticket-granting ticket. */
export function ticketRequest(by: Ticket, question: TicketQuestion, now: number): Uint8Array {
  const body = bodyOf(question, OPTION_CANONICALIZE);
  const sum = { type: by.key.checksumType, bytes: by.key.checksum(USAGE.ticketRequestSum, body.bytes) };
  const asked = apRequest(by, { now, sum }, { usage: USAGE.ticketRequest, isMutual: false });
  return encodeRequest(MESSAGE.ticketRequest, body, [encodePreAuthentication(PROOF.ticketRequest, asked)]);
}

/** The client's authenticator, which is sent with a ticket. */
export interface Authenticator {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly sum: { readonly type: number; readonly bytes: Uint8Array };
  readonly subkey?: Key;
  readonly sequence?: number;
}

/** Builds a request to a service, which must prove its identity, too. */
export function serviceRequest(ticket: Ticket, authenticator: Authenticator): Uint8Array {
  return apRequest(ticket, authenticator, { usage: USAGE.apRequest, isMutual: true });
}

function apRequest(
  { client, bytes, key }: Ticket,
  { now, sum, subkey, sequence }: Authenticator,
  { usage, isMutual }: { readonly usage: number; readonly isMutual: boolean },
): Uint8Array {
  const authenticator = application(
    MESSAGE.authenticator,
    fieldsOf([
      [0, VERSION],
      [1, client.realm],
      [2, nameOf(client)],
      [3, fieldsOf([[0, sum.type], [1, sum.bytes]])],
      [4, microsecondsOf(now)],
      [5, time(now)],
      [6, subkey && fieldsOf([[0, subkey.number], [1, subkey.exportBytes()]])],
      [7, sequence],
    ]),
  );
  return application(
    MESSAGE.apRequest,
    fieldsOf([
      [0, VERSION],
      [1, MESSAGE.apRequest],
      [2, flags(isMutual ? OPTION_MUTUAL : 0)],
      [3, new Element(bytes)],
      [4, sealElement(key, usage, authenticator)],
    ]),
  );
}

/** The response of a service to an accepted ticket. */
export interface ServiceReply {
  /** The authenticator's time to the microsecond, which only the service could decrypt. */
  readonly seconds: number;
  readonly microseconds: number;
  readonly subkey: Key | undefined;
  readonly sequence: number | undefined;
}

/**
 * Parses the response of a service.
 * @throws {KeyMismatchError} when it is not the service that the ticket is for.
 */
export function readServiceReply(bytes: Uint8Array, key: Key): ServiceReply {
  const reply = Fields.message(bytes, MESSAGE.apReply);
  const part = Fields.message(key.decrypt(USAGE.apReply, readSealed(reply, 2).bytes), MESSAGE.apPart);
  const subkey = part.optionalFields(2);
  return {
    seconds: part.time(0) / 1000,
    microseconds: part.number(1),
    subkey: subkey && keyOf(subkey),
    sequence: part.optionalNumber(3),
  };
}

/** Parses a response to {@link asRequest} or {@link ticketRequest}: a ticket, or a rejection. */
export function readTicketAnswer(bytes: Uint8Array): TicketAnswer | { readonly failure: KerberosFailure } {
  const { reply, isError } = readReplyOrError(bytes);
  if (isError) {
    return {
      failure: {
        code: reply.number(6),
        serverTime: reply.time(4),
        text: reply.optionalText(11),
        more: reply.optionalBytes(12),
      },
    };
  }
  const client = { realm: reply.text(3), parts: reply.fields(4).texts(1) };
  return { client, ticket: reply.encodedField(5), sealed: readSealed(reply, 6) };
}

function readReplyOrError(bytes: Uint8Array): { readonly reply: Fields; readonly isError: boolean } {
  const reply = Fields.message(bytes, MESSAGE.asReply, MESSAGE.ticketReply, MESSAGE.error);
  return { reply, isError: reply.number(1) === MESSAGE.error };
}

/**
 * Decrypts the client's part of a response.
 * @throws {KeyMismatchError} for another key.
 */
export function openTicketAnswer(answer: TicketAnswer, key: Key, isFirst: boolean): TicketPart {
  const plain = key.decrypt(isFirst ? USAGE.asReply : USAGE.ticketReply, answer.sealed.bytes);
  const part = Fields.message(plain, MESSAGE.asPart, MESSAGE.ticketPart);
  return {
    key: keyOf(part.fields(0)),
    nonce: part.number(2),
    authenticated: part.time(5),
    end: part.time(7),
    service: { realm: part.text(9), parts: part.fields(10).texts(1) },
  };
}

/** Returns the encryption types that the server accepts for preauthentication, in order of preference. */
export function readEncryptions(more: Uint8Array): number[] {
  const said = readFieldsList(more).find((proof) => proof.number(1) === PROOF.encryptionTypes);
  return said ? readFieldsList(said.bytes(2)).map((entry) => entry.number(0)) : [];
}

/** Returns the fraction of a second, in microseconds, of a time in milliseconds. */
export function microsecondsOf(now: number): number {
  return Math.floor(now % 1000) * 1000;
}

function encodeRequest(kind: number, body: Element, proofs: readonly Element[]): Uint8Array {
  return application(
    kind,
    fieldsOf([[1, VERSION], [2, kind], [3, proofs.length > 0 ? listOf(proofs) : undefined], [4, body]]),
  );
}

function bodyOf({ service, encryptions, nonce, till }: TicketQuestion, options: number, client?: Principal): Element {
  return fieldsOf([
    [0, flags(options)],
    [1, client && nameOf(client)],
    [2, service.realm],
    [3, nameOf(service)],
    [5, time(till)],
    [7, nonce],
    [8, listOf(encryptions)],
  ]);
}

function encodePreAuthentication(kind: number, bytes: Uint8Array): Element {
  return fieldsOf([[1, kind], [2, bytes]]);
}

function nameOf({ parts }: Principal): Element {
  const kind = parts[0] === "krbtgt" ? NAME.service : parts.length > 1 ? NAME.host : NAME.person;
  return fieldsOf([[0, kind], [1, listOf(parts)]]);
}

function sealElement(key: Key, usage: number, plain: Uint8Array): Element {
  return fieldsOf([[0, key.number], [2, key.encrypt(usage, plain)]]);
}

function readSealed(fields: Fields, number: number): SealedBytes {
  const data = fields.fields(number);
  return { encryption: data.number(0), version: data.optionalNumber(1), bytes: data.bytes(2) };
}

function keyOf(fields: Fields): Key {
  return new Key(fields.number(0), fields.bytes(1));
}
