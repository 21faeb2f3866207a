/**
 * The pool of sessions at a server: one is opened when it is wanted and none is idle, has one holder at a time, and is closed
 * when it was idle for long. The libraries' own pools are not used: one closes its idle sessions and does not say which they
 * were, the other never closes them, and neither asks for a token for each session that it opens.
 */
import type { PoolWorld } from "./connection.ts";

/** A session at a server. */
export interface Session {
  /** Closes it, broken or not; a query that is under way has a second to end. */
  close(): Promise<void>;
}

/**
 * Opens a session.
 * @param broke to be called when the session is lost, also by somebody who uses it; any number of times.
 */
export type OpenSession<S> = (broke: () => void) => Promise<S>;

interface Kept<S> {
  readonly session: S;
  /** The end of its life, milliseconds since 1970. */
  readonly endsAt: number;
  isBroken: boolean;
  /** Takes back the timer that closes it; undefined while somebody holds it. */
  hold?: (() => void) | undefined;
  /** Stops to listen whether its holder gives up. */
  unheed?: (() => void) | undefined;
}

type Waiter<S> = PromiseWithResolvers<S>;

/** A pool of sessions. */
export class SessionPool<S extends Session> {
  readonly #open: OpenSession<S>;
  readonly #world: PoolWorld;
  readonly #kept = new Map<S, Kept<S>>();
  /** Idle sessions, the last used last: it is taken first, so that the others grow old. */
  readonly #idle: Kept<S>[] = [];
  readonly #waiting: Waiter<S>[] = [];
  /** Sessions that are closed and not gone yet. */
  readonly #closing = new Set<Promise<void>>();
  #opening = 0;
  /** Resolves when all sessions are gone; there once the pool is closed. */
  #ended: PromiseWithResolvers<void> | undefined;

  constructor(open: OpenSession<S>, world: PoolWorld) {
    this.#open = open;
    this.#world = world;
  }

  /**
   * A session that is the caller's alone until it is released; waits while there are as many as there may be.
   * @param until closes the session when it is aborted before that.
   * @throws what opening one threw, an error without a code when the pool is closed, and the signal's reason.
   */
  async acquire(until?: AbortSignal): Promise<S> {
    until?.throwIfAborted();
    const session = await this.#acquire();
    if (until?.aborted) this.release(session);
    until?.throwIfAborted();
    const kept = this.#kept.get(session);
    if (!until || !kept) return session;
    const giveUp = () => this.#close(kept);
    until.addEventListener("abort", giveUp, { once: true });
    kept.unheed = () => until.removeEventListener("abort", giveUp);
    return session;
  }

  #acquire(): Promise<S> {
    if (this.#ended) return Promise.reject(closed());
    const idle = this.#idle.at(-1);
    if (idle) {
      this.#takeFromIdle(idle);
      return Promise.resolve(idle.session);
    }
    if (this.#hasRoom()) return this.#openOne();
    const waiter = Promise.withResolvers<S>();
    this.#waiting.push(waiter);
    return waiter.promise;
  }

  /** Takes a session back from its holder, who says whether another may have it. */
  release(session: S, isSpent = false): void {
    const kept = this.#kept.get(session);
    if (!kept || kept.hold) return;
    kept.unheed?.();
    kept.unheed = undefined;
    if (isSpent || kept.isBroken || this.#ended || kept.endsAt <= this.#world.clock.now()) {
      this.#close(kept);
      return;
    }
    const waiter = this.#waiting.shift();
    if (waiter) waiter.resolve(session);
    else this.#putToIdle(kept);
  }

  /** Closes idle sessions now and the others when they are released, or now with the signal; resolves when all are gone. */
  close(): Promise<void> {
    if (this.#ended) return this.#ended.promise;
    this.#ended = Promise.withResolvers();
    for (const waiter of this.#waiting.splice(0)) waiter.reject(closed());
    for (const idle of [...this.#idle]) this.#close(idle);
    const { stop } = this.#world;
    const closeAll = () => [...this.#kept.values()].forEach((kept) => this.#close(kept));
    if (stop.aborted) closeAll();
    else stop.addEventListener("abort", closeAll, { once: true });
    this.#goOn();
    return this.#ended.promise.finally(() => stop.removeEventListener("abort", closeAll));
  }

  async #openOne(): Promise<S> {
    this.#opening++;
    let kept: Kept<S> | undefined;
    let isBroken = false;
    try {
      const session = await this.#open(() => {
        isBroken = true;
        if (kept) this.#broke(kept);
      });
      const { clock, pool: { lifeSeconds = Infinity } } = this.#world;
      kept = { session, endsAt: clock.now() + lifeSeconds * 1000, isBroken };
      this.#kept.set(session, kept);
      if (this.#ended) {
        this.#close(kept);
        throw closed();
      }
      return session;
    } finally {
      this.#opening--;
      this.#goOn();
    }
  }

  /** A session is lost: where one is, the idle ones are likely to be so too, and nobody misses them. */
  #broke(kept: Kept<S>): void {
    kept.isBroken = true;
    for (const idle of [...this.#idle]) this.#close(idle);
  }

  #putToIdle(kept: Kept<S>): void {
    const { clock, pool } = this.#world;
    const millis = Math.min(pool.idleSeconds * 1000, kept.endsAt - clock.now());
    kept.hold = clock.after(millis, () => this.#close(kept));
    this.#idle.push(kept);
  }

  #takeFromIdle(kept: Kept<S>): void {
    kept.hold?.();
    kept.hold = undefined;
    const at = this.#idle.indexOf(kept);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  #close(kept: Kept<S>): void {
    this.#takeFromIdle(kept);
    kept.unheed?.();
    if (!this.#kept.delete(kept.session)) return;
    // What a library says of a session that is given up concerns nobody.
    const gone = kept.session.close().catch(() => {}).then(() => {
      this.#closing.delete(gone);
      this.#goOn();
    });
    this.#closing.add(gone);
  }

  #hasRoom(): boolean {
    return this.#kept.size + this.#opening + this.#closing.size < this.#world.pool.maxOpen;
  }

  /** Opens a session for whoever waits longest, where there is room for one, or says that the last one is gone. */
  #goOn(): void {
    if (this.#ended) {
      if (this.#kept.size + this.#opening + this.#closing.size === 0) this.#ended.resolve();
    } else if (this.#waiting.length > 0 && this.#hasRoom()) {
      const waiter = this.#waiting.shift();
      if (waiter) this.#openOne().then(waiter.resolve, waiter.reject);
    }
  }
}

function closed(): Error {
  return new Error("The pool is closed");
}
