/**
 * The tickets of a client: requested with the key of a keytab, or read from a credential cache, and cached until they
 * expire.
 */
import type { AddressPolicy } from "@tiphys/base/net";
import type { StoreError } from "@tiphys/model/artifact";
import { MessageError } from "../rpc_messages.ts";
import { type CachedTicket, readCredentialCache } from "./credential_cache.ts";
import { sendToKdc } from "./kdc.ts";
import { clockSkewText, FAILURE, kerberosError, refusalError } from "./kerberos_error.ts";
import { ENCRYPTION_TYPES, encryptionName, Key, KeyMismatchError } from "./key.ts";
import { readKeytab } from "./keytab.ts";
import type { Krb5Conf } from "./krb5_conf.ts";
import {
  asRequest,
  openTicketAnswer,
  readEncryptions,
  readTicketAnswer,
  type Ticket,
  type TicketAnswer,
  ticketRequest,
} from "./messages.ts";
import { isSamePrincipal, type Principal, principalText, ticketService } from "./principal.ts";

/** The requested lifetime; servers limit it. */
const LIFE_MILLIS = 24 * 3_600_000;

/** A ticket that expires within this time is no longer used. */
const MIN_LIFETIME_MILLIS = 60_000;

/** Maximum clock skew. */
const MAX_SKEW_MILLIS = 300_000;

/** Maximum number of realms between the client's and the service's. */
const MAX_REALMS = 8;

/** The realm configuration, and the clock. */
export interface Realms {
  readonly conf: Krb5Conf;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Decides which addresses of the KDCs may be connected to. All if undefined. */
  readonly reach?: AddressPolicy | undefined;
}

/** The source of a client's first ticket. */
interface FirstTickets {
  readonly client: Principal;
  /** Tickets from a credential cache. */
  readonly cached: readonly CachedTicket[];
  /** The client's keys, with which it can request a ticket. */
  readonly keys: readonly VersionedKey[];
}

interface VersionedKey {
  readonly version: number;
  readonly key: Key;
}

/** Requests and caches the tickets of a client. */
export class Tickets {
  readonly #realms: Realms;
  readonly #first: FirstTickets;
  readonly #tickets = new Map<string, Ticket>();

  private constructor(realms: Realms, first: FirstTickets) {
    this.#realms = realms;
    this.#first = first;
  }

  /** @throws {StoreError} when the keytab is invalid, or has no usable key of the client. */
  static ofKeytab(realms: Realms, keytab: Uint8Array, client: Principal): Tickets {
    const entries = read("the keytab is invalid", () => readKeytab(keytab));
    const own = entries.filter((entry) => isSamePrincipal(entry.principal, client));
    if (own.length === 0) {
      const names = [...new Set(entries.map(({ principal }) => principalText(principal)))].slice(0, 8);
      throw kerberosError(
        `the keytab has no key of ${principalText(client)}; it has those of ${names.join(", ") || "nobody"}`,
      );
    }
    const usable = own.filter(({ encryption }) => ENCRYPTION_TYPES.includes(encryption));
    if (usable.length === 0) {
      const names = [...new Set(own.map(({ encryption }) => encryptionName(encryption)))];
      throw kerberosError(`the keytab has only keys of ${names.join(", ")}, but an AES key is required`);
    }
    const keys = usable.toSorted((a, b) => b.version - a.version).map(({ version, encryption, key }) => ({
      version,
      key: withKeyErrors("the keytab is invalid", () => new Key(encryption, key)),
    }));
    return new Tickets(realms, { client, cached: [], keys });
  }

  /** @throws {StoreError} when the credential cache is invalid. */
  static ofCache(realms: Realms, cache: Uint8Array): Tickets {
    const { client, tickets } = read("the credential cache is invalid", () => readCredentialCache(cache));
    return new Tickets(realms, { client, cached: tickets, keys: [] });
  }

  get client(): Principal {
    return this.#first.client;
  }

  /**
   * Returns a ticket for a service.
   * @throws {StoreError} that names the cause when it cannot be obtained.
   */
  async get(service: Principal, stop: AbortSignal): Promise<Ticket> {
    const known = this.#findCached(service);
    if (known) return known;
    let by = this.#findCached(ticketService(this.client.realm)) ?? await this.#firstTicket(stop);
    let wanted = service;
    for (let realms = 0; realms < MAX_REALMS; realms++) {
      const [, realm = ""] = by.service.parts;
      const isThere = realm === wanted.realm;
      const asked = isThere ? wanted : ticketService(realm, wanted.realm);
      const got = await this.#requestTicket(by, asked, stop);
      if (isThere && isSamePrincipal(got.service, asked)) return this.#cache(service, got);
      const [kind, next] = got.service.parts;
      if (kind !== "krbtgt" || !next || next === realm) {
        throw kerberosError(
          `received a ticket of ${principalText(got.service)} instead of ${principalText(asked)}`,
        );
      }
      // The server knows which realm has the service, or which realm is next on the path.
      if (isThere) wanted = { ...wanted, realm: next };
      by = got;
    }
    throw kerberosError(`more than ${MAX_REALMS} realms are on the way to ${principalText(service)}`);
  }

  #findCached(service: Principal): Ticket | undefined {
    const least = this.#realms.now() + MIN_LIFETIME_MILLIS;
    const kept = this.#tickets.get(principalText(service));
    if (kept && kept.end > least) return kept;
    const { client } = this;
    const cached = this.#first.cached.find((cachedTicket) =>
      isSamePrincipal(cachedTicket.server, service) && isSamePrincipal(cachedTicket.client, client) &&
      cachedTicket.end > least &&
      ENCRYPTION_TYPES.includes(cachedTicket.encryption)
    );
    if (!cached) return undefined;
    const key = withKeyErrors("the credential cache is invalid", () => new Key(cached.encryption, cached.key));
    return { client, service, bytes: cached.ticket, key, end: cached.end };
  }

  #cache(service: Principal, ticket: Ticket): Ticket {
    this.#tickets.set(principalText(service), ticket);
    return ticket;
  }

  async #firstTicket(stop: AbortSignal): Promise<Ticket> {
    const { client, keys } = this.#first;
    const service = ticketService(client.realm);
    const [first] = keys;
    if (!first) {
      const had = this.#first.cached.some(({ server }) => isSamePrincipal(server, service));
      throw kerberosError(
        `the credential cache has ${had ? "only an expired" : "no"} ticket of ${principalText(service)}`,
        "forbidden",
      );
    }
    const asking = this.#ticketOptions(service, [...new Set(keys.map(({ key }) => key.number))]);
    let { answer, who } = await this.#sendRequest(client.realm, asRequest(client, asking.question), stop);
    if ("failure" in answer && answer.failure.code === FAILURE.proofNeeded) {
      const { more } = answer.failure;
      const offered = more ? read(`${who} requires another proof`, () => readEncryptions(more)) : [];
      const key = offered.flatMap((number) => keys.find(({ key }) => key.number === number)?.key ?? [])[0];
      if (!key && offered.length > 0) {
        const names = offered.map(encryptionName).join(", ");
        throw kerberosError(
          `the realm knows ${principalText(client)} by keys of ${names}, and the keytab has no such key`,
        );
      }
      const proof = { key: key ?? first.key, now: this.#realms.now() };
      ({ answer, who } = await this.#sendRequest(client.realm, asRequest(client, asking.question, proof), stop));
    }
    if ("failure" in answer) throw this.#toError(who, service, answer.failure);
    const { sealed } = answer;
    const fitting = keys.filter(({ key }) => key.number === sealed.encryption);
    const key = fitting.find(({ version }) => version === sealed.version) ?? fitting[0];
    if (!key) throw kerberosError(`the keytab has no key of ${encryptionName(sealed.encryption)}`);
    const ticket = this.#opened({ answer, asking, key: key.key, isFirst: true });
    return this.#cache(service, ticket);
  }

  async #requestTicket(by: Ticket, service: Principal, stop: AbortSignal): Promise<Ticket> {
    const asking = this.#ticketOptions(service, ENCRYPTION_TYPES);
    const request = ticketRequest(by, asking.question, this.#realms.now());
    const { answer, who } = await this.#sendRequest(service.realm, request, stop);
    if ("failure" in answer) throw this.#toError(who, service, answer.failure);
    return this.#opened({ answer, asking, key: by.key, isFirst: false });
  }

  #ticketOptions(service: Principal, encryptions: readonly number[]) {
    const nonce = crypto.getRandomValues(new Uint32Array(1))[0]! >>> 1;
    return { question: { service, encryptions, nonce, till: this.#realms.now() + LIFE_MILLIS } };
  }

  async #sendRequest(realm: string, question: Uint8Array, stop: AbortSignal) {
    const { bytes, who } = await sendToKdc(this.#realms.conf, realm, question, stop, this.#realms.reach);
    return { answer: read(`${who} did not return a Kerberos response`, () => readTicketAnswer(bytes)), who };
  }

  #toError(subject: string, service: Principal, failure: Parameters<typeof refusalError>[1]): StoreError {
    return refusalError({ who: subject, client: this.client, service, now: this.#realms.now() }, failure);
  }

  #opened(
    { answer, asking, key, isFirst }: {
      readonly answer: TicketAnswer;
      readonly asking: { readonly question: { readonly nonce: number; readonly service: Principal } };
      readonly key: Key;
      readonly isFirst: boolean;
    },
  ): Ticket {
    const what = isFirst
      ? `pre-authentication failed: the key in the keytab is not the one of ${principalText(this.client)}`
      : "the KDC gave a ticket that is not for this client";
    const part = withKeyErrors(what, () => openTicketAnswer(answer, key, isFirst));
    const isOurs = part.nonce === asking.question.nonce && isSamePrincipal(answer.client, this.client) &&
      (!isFirst || isSamePrincipal(part.service, asking.question.service));
    if (!isOurs) throw kerberosError("the KDC sent the response to another request");
    const now = this.#realms.now();
    if (isFirst && Math.abs(part.authenticated - now) > MAX_SKEW_MILLIS) {
      throw kerberosError(clockSkewText(now, part.authenticated));
    }
    return { client: this.client, service: part.service, bytes: answer.ticket, key: part.key, end: part.end };
  }
}

/** Parses external data. Errors begin with `operation`. */
function read<T>(operation: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof MessageError) throw kerberosError(`${operation.replace(/^hdfs: /, "")}: ${error.message}`);
    throw error;
  }
}

/** Runs an operation that needs a key. A wrong key is an error that begins with `operation`. */
function withKeyErrors<T>(operation: string, act: () => T): T {
  try {
    return read(operation, act);
  } catch (error) {
    if (error instanceof KeyMismatchError) throw kerberosError(`${operation}: ${error.message}`, "forbidden");
    throw error;
  }
}
