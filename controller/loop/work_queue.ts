/** The queue of keys that want a pass. */
import { type Clock, machineClock } from "./clock.ts";
import { FairLine } from "./fair_line.ts";

/** Works on a key. Calling `stepAside` frees the place of the key although the work goes on. */
type Work = (key: string, stepAside: () => void) => Promise<number | void>;

/** The events of a queue, for metrics. */
export interface QueueWatch {
  /** A key was asked for. */
  added(key: string): void;
  /** Work on a key begins. */
  begins(key: string): void;
  ended(key: string): void;
  /** Work on a key has failed and is tried again. */
  retried(): void;
}

/**
 * The keys that want a pass, namespaces in turn: each once, however often it was asked for, and never two passes of one
 * key at a time. A key asked for while it is being worked on comes again afterwards; after a rest, where its last pass
 * asked for one.
 */
export class WorkQueue {
  readonly #waiting = new FairLine();
  /** The keys that go first, of those that wait and those that come again. */
  readonly #urgent = new Set<string>();
  readonly #working = new Set<string>();
  /** The keys that are worked on and take no place. */
  readonly #aside = new Set<string>();
  readonly #again = new Set<string>();
  readonly #resting = new Map<string, { readonly takeBack: () => void; readonly until: number }>();
  readonly #timers = new Map<string, { readonly at: number; readonly takeBack: () => void }>();
  readonly #work: Work;
  readonly #limit: number;
  readonly #watch: QueueWatch | undefined;
  readonly #clock: Clock;
  #closed = false;
  /**
   * The moment at which the last work ended, or a key came to wait where none did, whichever was later; undefined
   * before the first key. Milliseconds since 1970.
   */
  #stillSince: number | undefined;

  /**
   * `work` must not throw; at most `limit` keys are worked on at a time. It may answer with the milliseconds that its key
   * rests: what is asked of it meanwhile is done in one pass, unless it is urgent. `clock` is the one of `addAt`.
   */
  constructor(work: Work, limit: number, clock: Clock = machineClock(), watch?: QueueWatch) {
    this.#work = work;
    this.#watch = watch;
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Keys that wait for a free place. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** The time for which keys have waited while no work came to its end, in milliseconds. */
  get stalledMillis(): number {
    return this.depth === 0 || this.#stillSince === undefined ? 0 : this.#clock.now() - this.#stillSince;
  }

  /** Asks for a pass as soon as there is a place; an urgent one comes before all that are not. */
  add(key: string, { urgent = false } = {}): void {
    if (this.#closed) return;
    this.#watch?.added(key);
    if (this.depth === 0) this.#stillSince = this.#clock.now();
    if (urgent) {
      this.#urgent.add(key);
      this.#endRest(key);
    }
    if (this.#working.has(key) || this.#resting.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#next();
  }

  /** Asks for a pass at a time (milliseconds since 1970); the earliest time asked for counts. */
  addAt(key: string, at: number): void {
    if (this.#closed) return;
    const known = this.#timers.get(key);
    if (known && known.at <= at) return;
    known?.takeBack();
    const takeBack = this.#clock.after(at - this.#clock.now(), () => {
      this.#timers.delete(key);
      this.add(key);
    });
    this.#timers.set(key, { at, takeBack });
  }

  /** The place of a key among those that wait, from 1; undefined for one that does not. */
  placeOf(key: string): number | undefined {
    return this.#waiting.placeOf(key);
  }

  /** The end of the rest of a key whose pass took long, milliseconds since 1970; undefined for one that does not rest. */
  restsUntil(key: string): number | undefined {
    return this.#resting.get(key)?.until;
  }

  /** Takes no more keys, forgets those that wait, and resolves when nothing is being worked on. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    this.#again.clear();
    this.#urgent.clear();
    for (const { takeBack } of this.#timers.values()) takeBack();
    this.#timers.clear();
    clearTimeout(this.#turn);
    for (const { takeBack } of this.#resting.values()) takeBack();
    this.#resting.clear();
    while (this.#running.size) await Promise.all(this.#running);
  }

  readonly #running = new Set<Promise<void>>();

  /** After this many milliseconds of work in one go, what came from the network meanwhile has its turn. */
  static readonly #MOST_MILLIS = 20;
  /**
   * As many keys are begun in one go. Most of the work on a key comes after something that it waits for for no time: of many
   * that begin together none would have sent anything before the last one has decided what to send.
   */
  static readonly #MOST_BEGUN = 8;
  #turn: ReturnType<typeof setTimeout> | undefined;
  /** The keys that were begun in this go, and the moment at which that began. */
  #begun = 0;
  #goSince = -Infinity;

  #next(): void {
    const began = performance.now();
    if (began - this.#goSince > WorkQueue.#MOST_MILLIS) this.#goBegins(began);
    while (this.#turn === undefined && this.#working.size - this.#aside.size < this.#limit) {
      const key = this.#first();
      if (key === undefined) return;
      this.#waiting.take(key);
      this.#urgent.delete(key);
      this.#working.add(key);
      this.#watch?.begins(key);
      const run = this.#work(key, () => this.#stepAside(key)).then((rest) => {
        this.#running.delete(run);
        this.#working.delete(key);
        this.#watch?.ended(key);
        this.#stillSince = this.#clock.now();
        this.#aside.delete(key);
        if (rest && !this.#urgent.has(key)) this.#rest(key, rest);
        else this.#comeAgain(key);
        this.#next();
      });
      this.#running.add(run);
      const isOver = ++this.#begun >= WorkQueue.#MOST_BEGUN || performance.now() - began > WorkQueue.#MOST_MILLIS;
      if (isOver) this.#turn = setTimeout(() => this.#afterTurn());
    }
  }

  #stepAside(key: string): void {
    this.#aside.add(key);
    if (!this.#closed) queueMicrotask(() => this.#next());
  }

  #goBegins(now: number): void {
    this.#goSince = now;
    this.#begun = 0;
  }

  #afterTurn(): void {
    this.#turn = undefined;
    this.#goBegins(performance.now());
    this.#next();
  }

  #rest(key: string, millis: number): void {
    if (this.#closed) return;
    const takeBack = this.#clock.after(millis, () => {
      this.#endRest(key);
      this.#next();
    });
    this.#resting.set(key, { takeBack, until: this.#clock.now() + millis });
  }

  #endRest(key: string): void {
    const rest = this.#resting.get(key);
    if (rest === undefined) return;
    rest.takeBack();
    this.#resting.delete(key);
    this.#comeAgain(key);
  }

  #comeAgain(key: string): void {
    if (this.#again.delete(key) && !this.#closed) this.#waiting.add(key);
  }

  #first(): string | undefined {
    for (const key of this.#urgent) if (this.#waiting.has(key)) return key;
    return this.#waiting.first();
  }
}
