/** The ticket in links, and the sessions that it starts. Both are valid as long as the server runs. */

const PATH_TICKET_MILLIS = 60_000;
const MAX_PATH_TICKETS = 1000;
const MAX_SESSIONS = 1000;

/** Manages the ticket, the sessions and the tickets for single paths. */
export class Tickets {
  /** The ticket of all links to this server. */
  readonly ticket = randomSecret();
  readonly #now: () => number;
  readonly #sessions = new Set<string>();
  /** The expiry and the path of each ticket for a single path. */
  readonly #paths = new Map<string, { readonly until: number; readonly path: string }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Starts a session and returns its token; undefined for an invalid ticket. */
  async redeem(ticket: string): Promise<string | undefined> {
    if (!await isEqual(ticket, this.ticket)) return undefined;
    dropOldest(this.#sessions, MAX_SESSIONS);
    const token = randomSecret();
    this.#sessions.add(await digestOf(token));
    return token;
  }

  /** Returns a ticket for one path, valid for one minute. */
  async createForPath(path: string): Promise<string> {
    const now = this.#now();
    for (const [key, { until }] of this.#paths) if (until <= now) this.#paths.delete(key);
    dropOldest(this.#paths, MAX_PATH_TICKETS);
    const ticket = randomSecret();
    this.#paths.set(await digestOf(ticket), { until: now + PATH_TICKET_MILLIS, path });
    return ticket;
  }

  /** Reports whether a ticket is valid for this path. */
  async isForPath(ticket: string, path: string): Promise<boolean> {
    const known = this.#paths.get(await digestOf(ticket));
    return known !== undefined && known.path === path && known.until > this.#now();
  }

  /** Reports whether this is the token of a session. */
  async isSession(token: string): Promise<boolean> {
    return this.#sessions.has(await digestOf(token));
  }
}

function dropOldest(entries: Map<string, unknown> | Set<string>, max: number): void {
  for (const key of entries.keys()) {
    if (entries.size < max) return;
    entries.delete(key);
  }
}

/** Returns a random secret of 192 bits. */
export function randomSecret(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
}

/** Compares two secrets by their digests, so that the time does not depend on where they differ. */
export async function isEqual(one: string, other: string): Promise<boolean> {
  return await digestOf(one) === await digestOf(other);
}

async function digestOf(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex();
}
