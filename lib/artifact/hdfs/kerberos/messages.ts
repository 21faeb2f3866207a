/** The messages of Kerberos 5 that a client sends and gets (RFC 4120). */
import { application, Element, Fields, fieldsOf, flags, listOf, readFieldsList, time } from "./asn1.ts";
import { Key } from "./key.ts";
import type { Principal } from "./principal.ts";

const VERSION = 5;

/** Messages by their numbers. */
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

/** What keys are used for, by the numbers that both sides know. */
const USAGE = {
  timestamp: 1,
  asReply: 3,
  ticketRequestSum: 6,
  ticketRequest: 7,
  ticketReply: 8,
  apRequest: 11,
  apReply: 12,
};

/** What is said before a ticket is given. */
const PROOF = { ticketRequest: 1, timestamp: 2, encryptionTypes: 19 };

/** Kinds of names: a person, a service, a service on a host. */
const NAME = { person: 1, service: 2, host: 3 };

/** The server may tell of the realm that has the service. */
const OPTION_CANONICALIZE = 0x00010000;

/** The other side proves who it is, too. */
const OPTION_MUTUAL = 0x20000000;

/** A ticket, and the key that who holds it shares with the service. */
export interface Ticket {
  readonly client: Principal;
  readonly service: Principal;
  /** The ticket as the service reads it: nobody else can. */
  readonly bytes: Uint8Array;
  readonly key: Key;
  /** Milliseconds since 1970. */
  readonly end: number;
}

/** What a ticket is asked for with. */
export interface TicketQuestion {
  readonly service: Principal;
  /** The numbers of types of encryption that whoever asks knows. */
  readonly encryptions: readonly number[];
  readonly nonce: number;
  /** Milliseconds since 1970. */
  readonly till: number;
}

/** An answer of the server that gives tickets; what is within is encrypted. */
export interface TicketAnswer {
  readonly client: Principal;
  readonly ticket: Uint8Array;
  readonly sealed: Sealed;
}

/** Encrypted bytes. */
interface Sealed {
  readonly encryption: number;
  readonly version: number | undefined;
  readonly bytes: Uint8Array;
}

/** The part of an answer that was encrypted. */
export interface TicketPart {
  readonly key: Key;
  readonly nonce: number;
  /** Milliseconds since 1970: when the user proved to be there, and the end of the ticket. */
  readonly authenticated: number;
  readonly end: number;
  readonly service: Principal;
}

/** A refusal. */
export interface KerberosFailure {
  readonly code: number;
  /** The time of the server, milliseconds since 1970. */
  readonly serverTime: number;
  readonly text: string | undefined;
  readonly more: Uint8Array | undefined;
}

/** Asks for a first ticket; `proof`: the key by which the client proves to be there, where the server asks for it. */
export function asRequest(
  client: Principal,
  question: TicketQuestion,
  proof?: { readonly key: Key; readonly now: number },
): Uint8Array {
  const stamp = proof && sealed(
    proof.key,
    USAGE.timestamp,
    fieldsOf([[0, time(proof.now)], [1, microsecondsOf(proof.now)]]).bytes,
  );
  return request(MESSAGE.asRequest, bodyOf(question, 0, client), stamp ? [proofOf(PROOF.timestamp, stamp.bytes)] : []);
}

/** Asks for a ticket of a service, by the ticket of the server that gives them. */
export function ticketRequest(by: Ticket, question: TicketQuestion, now: number): Uint8Array {
  const body = bodyOf(question, OPTION_CANONICALIZE);
  const sum = { type: by.key.checksumType, bytes: by.key.checksum(USAGE.ticketRequestSum, body.bytes) };
  const asked = apRequest(by, { now, sum }, { usage: USAGE.ticketRequest, isMutual: false });
  return request(MESSAGE.ticketRequest, body, [proofOf(PROOF.ticketRequest, asked)]);
}

/** What a client tells of itself along with a ticket. */
export interface Authenticator {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly sum: { readonly type: number; readonly bytes: Uint8Array };
  readonly subkey?: Key;
  readonly sequence?: number;
}

/** Shows a ticket to its service, which proves who it is, too. */
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
      [6, subkey && fieldsOf([[0, subkey.number], [1, subkey.exported()]])],
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
      [4, sealed(key, usage, authenticator)],
    ]),
  );
}

/** What a service answers whom it has believed. */
export interface ServiceReply {
  /** The time that it was shown, to the microsecond: nobody else could read it. */
  readonly seconds: number;
  readonly microseconds: number;
  readonly subkey: Key | undefined;
  readonly sequence: number | undefined;
}

/** Reads the proof of a service. @throws {KeyMismatchError} when it is not the one that the ticket is for. */
export function readServiceReply(bytes: Uint8Array, key: Key): ServiceReply {
  const reply = Fields.message(bytes, MESSAGE.apReply);
  const part = Fields.message(key.decrypt(USAGE.apReply, sealedOf(reply, 2).bytes), MESSAGE.apPart);
  const subkey = part.optionalFields(2);
  return {
    seconds: part.time(0) / 1000,
    microseconds: part.number(1),
    subkey: subkey && keyOf(subkey),
    sequence: part.optionalNumber(3),
  };
}

/** Reads an answer to {@link asRequest} or {@link ticketRequest}: a ticket, or a refusal. */
export function readTicketAnswer(bytes: Uint8Array): TicketAnswer | { readonly failure: KerberosFailure } {
  const { reply, isError } = readEither(bytes);
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
  return { client, ticket: reply.whole(5), sealed: sealedOf(reply, 6) };
}

function readEither(bytes: Uint8Array): { readonly reply: Fields; readonly isError: boolean } {
  const reply = Fields.message(bytes, MESSAGE.asReply, MESSAGE.ticketReply, MESSAGE.error);
  return { reply, isError: reply.number(1) === MESSAGE.error };
}

/** Decrypts what an answer holds for the client alone. @throws {KeyMismatchError} when its key is another one. */
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

/** The types of encryption that the server would take a proof in, the one that it likes best first. */
export function readEncryptions(more: Uint8Array): number[] {
  const said = readFieldsList(more).find((proof) => proof.number(1) === PROOF.encryptionTypes);
  return said ? readFieldsList(said.bytes(2)).map((entry) => entry.number(0)) : [];
}

/** The microseconds of a time, of which milliseconds are known. */
export function microsecondsOf(now: number): number {
  return Math.floor(now % 1000) * 1000;
}

function request(kind: number, body: Element, proofs: readonly Element[]): Uint8Array {
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

function proofOf(kind: number, bytes: Uint8Array): Element {
  return fieldsOf([[1, kind], [2, bytes]]);
}

function nameOf({ parts }: Principal): Element {
  const kind = parts[0] === "krbtgt" ? NAME.service : parts.length > 1 ? NAME.host : NAME.person;
  return fieldsOf([[0, kind], [1, listOf(parts)]]);
}

function sealed(key: Key, usage: number, plain: Uint8Array): Element {
  return fieldsOf([[0, key.number], [2, key.encrypt(usage, plain)]]);
}

function sealedOf(fields: Fields, number: number): Sealed {
  const data = fields.fields(number);
  return { encryption: data.number(0), version: data.optionalNumber(1), bytes: data.bytes(2) };
}

function keyOf(fields: Fields): Key {
  return new Key(fields.number(0), fields.bytes(1));
}
