/**
 * A pool of sessions: a session is opened when none is idle, has one user at a time, and is closed after a long idle
 * time. The pools of the libraries are not used: one does not report which idle sessions it closes, the other never
 * closes them, and neither requests a token for each new session.
 */
import type { PoolEnvironment } from "./connection.ts";

/** A session with a server. */
export interface Session {
  /** Closes the session, broken or not; a running query has a second to end. */
  close(): Promise<void>;
}

/**
 * Opens a session.
 * @param broke Call it when the session is lost, any number of times, also from its user.
 */
export type OpenSession<S> = (broke: () => void) => Promise<S>;

interface PooledSession<S> {
  readonly session: S;
  /** The end of its lifetime, in milliseconds since the epoch. */
  readonly endsAt: number;
  isBroken: boolean;
  /** Cancels the timer that closes it; undefined while it is in use. */
  hold?: (() => void) | undefined;
  /** Removes the abort listener of its user. */
  removeAbortListener?: (() => void) | undefined;
}

type Waiter<S> = PromiseWithResolvers<S>;

/** A pool of sessions. */
export class SessionPool<S extends Session> {
  readonly #open: OpenSession<S>;
  readonly #world: PoolEnvironment;
  readonly #sessions = new Map<S, PooledSession<S>>();
  /** Idle sessions; the most recently used one is last and taken first, so that the others expire. */
  readonly #idle: PooledSession<S>[] = [];
  readonly #waiting: Waiter<S>[] = [];
  /** Sessions that are being closed. */
  readonly #closing = new Set<Promise<void>>();
  #opening = 0;
  /** Resolves when all sessions are closed; set when the pool is closed. */
  #ended: PromiseWithResolvers<void> | undefined;

  constructor(open: OpenSession<S>, world: PoolEnvironment) {
    this.#open = open;
    this.#world = world;
  }

  /**
   * Returns a session for exclusive use until it is released; waits while the pool is at its limit.
   * @param until closes the session when it is aborted before the release.
   * @throws the error of opening a session, an error without a code when the pool is closed, and the signal's reason.
   */
  async acquire(until?: AbortSignal): Promise<S> {
    until?.throwIfAborted();
    const session = await this.#acquire();
    if (until?.aborted) this.release(session);
    until?.throwIfAborted();
    const kept = this.#sessions.get(session);
    if (!until || !kept) return session;
    const giveUp = () => this.#close(kept);
    until.addEventListener("abort", giveUp, { once: true });
    kept.removeAbortListener = () => until.removeEventListener("abort", giveUp);
    return session;
  }

  #acquire(): Promise<S> {
    if (this.#ended) return Promise.reject(closedError());
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

  /** Returns a session to the pool; `isSpent` closes it. */
  release(session: S, isSpent = false): void {
    const kept = this.#sessions.get(session);
    if (!kept || kept.hold) return;
    kept.removeAbortListener?.();
    kept.removeAbortListener = undefined;
    if (isSpent || kept.isBroken || this.#ended || kept.endsAt <= this.#world.clock.now()) {
      this.#close(kept);
      return;
    }
    const waiter = this.#waiting.shift();
    if (waiter) waiter.resolve(session);
    else this.#addToIdle(kept);
  }

  /**
   * Closes idle sessions now, and the others when they are released or the signal is aborted; resolves when all are
   * closed.
   */
  close(): Promise<void> {
    if (this.#ended) return this.#ended.promise;
    this.#ended = Promise.withResolvers();
    for (const waiter of this.#waiting.splice(0)) waiter.reject(closedError());
    for (const idle of [...this.#idle]) this.#close(idle);
    const { stop } = this.#world;
    const closeAll = () => [...this.#sessions.values()].forEach((session) => this.#close(session));
    if (stop.aborted) closeAll();
    else stop.addEventListener("abort", closeAll, { once: true });
    this.#serveNextWaiter();
    return this.#ended.promise.finally(() => stop.removeEventListener("abort", closeAll));
  }

  async #openOne(): Promise<S> {
    this.#opening++;
    let kept: PooledSession<S> | undefined;
    let isBroken = false;
    try {
      const session = await this.#open(() => {
        isBroken = true;
        if (kept) this.#discardLost(kept);
      });
      const { clock, pool: { lifeSeconds = Infinity } } = this.#world;
      kept = { session, endsAt: clock.now() + lifeSeconds * 1000, isBroken };
      this.#sessions.set(session, kept);
      if (this.#ended) {
        this.#close(kept);
        throw closedError();
      }
      return session;
    } finally {
      this.#opening--;
      this.#serveNextWaiter();
    }
  }

  /** A session is lost: idle ones are probably lost too, and are closed. */
  #discardLost(session: PooledSession<S>): void {
    session.isBroken = true;
    for (const idle of [...this.#idle]) this.#close(idle);
  }

  #addToIdle(session: PooledSession<S>): void {
    const { clock, pool } = this.#world;
    const millis = Math.min(pool.idleSeconds * 1000, session.endsAt - clock.now());
    session.hold = clock.after(millis, () => this.#close(session));
    this.#idle.push(session);
  }

  #takeFromIdle(session: PooledSession<S>): void {
    session.hold?.();
    session.hold = undefined;
    const index = this.#idle.indexOf(session);
    if (index >= 0) this.#idle.splice(index, 1);
  }

  #close(session: PooledSession<S>): void {
    this.#takeFromIdle(session);
    session.removeAbortListener?.();
    if (!this.#sessions.delete(session.session)) return;
    // Errors of closing a discarded session are ignored.
    const gone = session.session.close().catch(() => {}).then(() => {
      this.#closing.delete(gone);
      this.#serveNextWaiter();
    });
    this.#closing.add(gone);
  }

  #hasRoom(): boolean {
    return this.#sessions.size + this.#opening + this.#closing.size < this.#world.pool.maxOpen;
  }

  /** Opens a session for the first waiter if there is room, or reports that the last session is closed. */
  #serveNextWaiter(): void {
    if (this.#ended) {
      if (this.#sessions.size + this.#opening + this.#closing.size === 0) this.#ended.resolve();
    } else if (this.#waiting.length > 0 && this.#hasRoom()) {
      const waiter = this.#waiting.shift();
      if (waiter) this.#openOne().then(waiter.resolve, waiter.reject);
    }
  }
}

function closedError(): Error {
  return new Error("The pool is closed");
}
