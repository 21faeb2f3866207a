/** Tickets and sessions: a link lets in once, for a minute; what it gives is good as long as the server runs. */

const TICKET_MILLIS = 60_000;
const MOST_TICKETS = 1000;
const MOST_SESSIONS = 1000;

/** The tickets that were given out and the sessions that they became. */
export class Tickets {
  readonly #now: () => number;
  /** The end of each ticket, by the digest of the ticket: a reader of the memory finds none that lets in. */
  readonly #tickets = new Map<string, number>();
  readonly #sessions = new Set<string>();
  /** The end of each ticket for one path, and the path. */
  readonly #paths = new Map<string, { readonly until: number; readonly path: string }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A new ticket, good once within a minute. */
  async give(): Promise<string> {
    const now = this.#now();
    for (const [key, until] of this.#tickets) if (until <= now) this.#tickets.delete(key);
    dropOldest(this.#tickets, MOST_TICKETS);
    const ticket = secret();
    this.#tickets.set(await digestOf(ticket), now + TICKET_MILLIS);
    return ticket;
  }

  /** The token of a session for a ticket; undefined for one that is used up, too old, or none. */
  async redeem(ticket: string): Promise<string | undefined> {
    const key = await digestOf(ticket);
    const until = this.#tickets.get(key);
    this.#tickets.delete(key);
    if (until === undefined || until <= this.#now()) return undefined;
    dropOldest(this.#sessions, MOST_SESSIONS);
    const token = secret();
    this.#sessions.add(await digestOf(token));
    return token;
  }

  /** A ticket for one path, good for a minute. */
  async giveForPath(path: string): Promise<string> {
    const now = this.#now();
    for (const [key, { until }] of this.#paths) if (until <= now) this.#paths.delete(key);
    dropOldest(this.#paths, MOST_TICKETS);
    const ticket = secret();
    this.#paths.set(await digestOf(ticket), { until: now + TICKET_MILLIS, path });
    return ticket;
  }

  /** Whether a ticket lets in to this path. */
  async isForPath(ticket: string, path: string): Promise<boolean> {
    const known = this.#paths.get(await digestOf(ticket));
    return known !== undefined && known.path === path && known.until > this.#now();
  }

  /** Whether this is the token of a session. */
  async isSession(token: string): Promise<boolean> {
    return this.#sessions.has(await digestOf(token));
  }
}

function dropOldest(kept: Map<string, unknown> | Set<string>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size < most) return;
    kept.delete(key);
  }
}

/** 192 bits that nobody guesses. */
export function secret(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
}

async function digestOf(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex();
}
