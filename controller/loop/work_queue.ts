/** The queue of keys that need a pass. */
import { type Clock, machineClock } from "./clock.ts";
import { FairQueue } from "./fair_queue.ts";

/** Processes a key. Calling `stepAside` frees its worker while the processing continues. */
type Work = (key: string, stepAside: () => void) => Promise<number | void>;

/** Receives the events of a queue, for metrics. */
export interface QueueWatch {
  /** A key was enqueued. */
  added(key: string): void;
  /** Processing of a key begins. */
  onBegin(key: string): void;
  onEnd(key: string): void;
  /** Processing of a key failed and is retried. */
  onRetry(): void;
}

/**
 * A queue of keys, in which namespaces take turns. Each key is queued once, however often it is added, and is never
 * processed twice at a time. A key that is added during its processing is processed again afterwards, or after the
 * pause that its last pass returned.
 */
export class WorkQueue {
  readonly #waiting = new FairQueue();
  /** The keys that are processed first, among those that wait and those that will be added again. */
  readonly #urgent = new Set<string>();
  readonly #working = new Set<string>();
  /** The keys that are processed without a worker. */
  readonly #aside = new Set<string>();
  readonly #pending = new Set<string>();
  readonly #resting = new Map<string, { readonly takeBack: () => void; readonly until: number }>();
  readonly #timers = new Map<string, { readonly at: number; readonly takeBack: () => void }>();
  readonly #work: Work;
  readonly #limit: number;
  readonly #watch: QueueWatch | undefined;
  readonly #clock: Clock;
  #closed = false;
  /**
   * The later of two times: when the last processing ended, and when a key was added to an empty queue. In milliseconds
   * since 1970; undefined before the first key.
   */
  #idleSince: number | undefined;

  /**
   * `work` must not throw; at most `limit` keys are processed at a time. It may return how many milliseconds its key
   * pauses: additions in the meantime cause one pass after the pause, unless they are urgent. `clock` is used by
   * `addAt`.
   */
  constructor(work: Work, limit: number, clock: Clock = machineClock(), watch?: QueueWatch) {
    this.#work = work;
    this.#watch = watch;
    this.#limit = limit;
    this.#clock = clock;
  }

  /** The number of queued keys. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** The time for which keys have been queued while no processing ended, in milliseconds. */
  get stalledMillis(): number {
    return this.depth === 0 || this.#idleSince === undefined ? 0 : this.#clock.now() - this.#idleSince;
  }

  /** Enqueues a key. Urgent keys come before all others. */
  add(key: string, { urgent = false } = {}): void {
    if (this.#closed) return;
    this.#watch?.added(key);
    if (this.depth === 0) this.#idleSince = this.#clock.now();
    if (urgent) {
      this.#urgent.add(key);
      this.#endPause(key);
    }
    if (this.#working.has(key) || this.#resting.has(key)) this.#pending.add(key);
    else this.#waiting.add(key);
    this.#next();
  }

  /** Enqueues a key at a time (milliseconds since 1970). Of several times, the earliest counts. */
  addAt(key: string, time: number): void {
    if (this.#closed) return;
    const known = this.#timers.get(key);
    if (known && known.at <= time) return;
    known?.takeBack();
    const takeBack = this.#clock.after(time - this.#clock.now(), () => {
      this.#timers.delete(key);
      this.add(key);
    });
    this.#timers.set(key, { at: time, takeBack });
  }

  /** The position of a key in the queue, from 1; undefined if it is not queued. */
  placeOf(key: string): number | undefined {
    return this.#waiting.positionOf(key);
  }

  /** The end of the pause of a key after a long pass, in milliseconds since 1970; undefined without a pause. */
  pausedUntil(key: string): number | undefined {
    return this.#resting.get(key)?.until;
  }

  /** Accepts no more keys, clears the queue, and resolves when no key is being processed. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    this.#pending.clear();
    this.#urgent.clear();
    for (const { takeBack } of this.#timers.values()) takeBack();
    this.#timers.clear();
    clearTimeout(this.#turnTimer);
    for (const { takeBack } of this.#resting.values()) takeBack();
    this.#resting.clear();
    while (this.#running.size) await Promise.all(this.#running);
  }

  readonly #running = new Set<Promise<void>>();

  /**
   * The time for which keys are processed without interruption, in milliseconds, before the event loop gets a turn to
   * read from the network.
   */
  static readonly #MOST_MILLIS = 20;
  /**
   * The maximum number of keys that start without a turn of the event loop. Most of the processing of a key follows an
   * `await` that resolves immediately: of many keys that start together, none would send anything before the last one
   * has decided what to send.
   */
  static readonly #MOST_BEGUN = 8;
  #turnTimer: ReturnType<typeof setTimeout> | undefined;
  /** The number of keys that started since the last turn, and the time of that turn. */
  #begun = 0;
  #goSince = -Infinity;

  #next(): void {
    const began = performance.now();
    if (began - this.#goSince > WorkQueue.#MOST_MILLIS) this.#canStart(began);
    while (this.#turnTimer === undefined && this.#working.size - this.#aside.size < this.#limit) {
      const key = this.#first();
      if (key === undefined) return;
      this.#waiting.remove(key);
      this.#urgent.delete(key);
      this.#working.add(key);
      this.#watch?.onBegin(key);
      const run = this.#work(key, () => this.#stepAside(key)).then((delay) => {
        this.#running.delete(run);
        this.#working.delete(key);
        this.#watch?.onEnd(key);
        this.#idleSince = this.#clock.now();
        this.#aside.delete(key);
        if (delay && !this.#urgent.has(key)) this.#pauseKey(key, delay);
        else this.#requeueIfRequested(key);
        this.#next();
      });
      this.#running.add(run);
      const isOver = ++this.#begun >= WorkQueue.#MOST_BEGUN || performance.now() - began > WorkQueue.#MOST_MILLIS;
      if (isOver) this.#turnTimer = setTimeout(() => this.#endTurn());
    }
  }

  #stepAside(key: string): void {
    this.#aside.add(key);
    if (!this.#closed) queueMicrotask(() => this.#next());
  }

  #canStart(now: number): void {
    this.#goSince = now;
    this.#begun = 0;
  }

  #endTurn(): void {
    this.#turnTimer = undefined;
    this.#canStart(performance.now());
    this.#next();
  }

  #pauseKey(key: string, millis: number): void {
    if (this.#closed) return;
    const takeBack = this.#clock.after(millis, () => {
      this.#endPause(key);
      this.#next();
    });
    this.#resting.set(key, { takeBack, until: this.#clock.now() + millis });
  }

  #endPause(key: string): void {
    const rest = this.#resting.get(key);
    if (rest === undefined) return;
    rest.takeBack();
    this.#resting.delete(key);
    this.#requeueIfRequested(key);
  }

  #requeueIfRequested(key: string): void {
    if (this.#pending.delete(key) && !this.#closed) this.#waiting.add(key);
  }

  #first(): string | undefined {
    for (const key of this.#urgent) if (this.#waiting.has(key)) return key;
    return this.#waiting.first();
  }
}
