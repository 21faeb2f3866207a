/**
 * The keys that want a pass: each once, however often it was asked for, and never two passes of one key at a time. A
 * key asked for while it is being worked on comes again afterwards; after a rest, where its last pass asked for one.
 */
export class WorkQueue {
  readonly #waiting = new Set<string>();
  /** Those of the waiting keys, and of those that come again, that go first. */
  readonly #urgent = new Set<string>();
  readonly #working = new Set<string>();
  readonly #again = new Set<string>();
  readonly #resting = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #timers = new Map<string, { readonly at: number; readonly timer: ReturnType<typeof setTimeout> }>();
  readonly #work: (key: string) => Promise<number | void>;
  readonly #limit: number;
  #closed = false;

  /**
   * `work` must not throw; at most `limit` keys are worked on at a time. It may answer with the milliseconds that its key
   * rests: what is asked of it meanwhile is done in one pass, unless it is urgent.
   */
  constructor(work: (key: string) => Promise<number | void>, limit: number) {
    this.#work = work;
    this.#limit = limit;
  }

  /** Keys that wait for a free place. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** Asks for a pass as soon as there is a place; an urgent one comes before all that are not. */
  add(key: string, { urgent = false } = {}): void {
    if (this.#closed) return;
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
    if (known) clearTimeout(known.timer);
    const wait = Math.min(Math.max(0, at - Date.now()), 2 ** 31 - 1);
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      this.add(key);
    }, wait);
    this.#timers.set(key, { at, timer });
  }

  /** Takes no more keys, forgets those that wait, and resolves when nothing is being worked on. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    this.#again.clear();
    this.#urgent.clear();
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    for (const timer of this.#resting.values()) clearTimeout(timer);
    this.#resting.clear();
    while (this.#running.size) await Promise.all(this.#running);
  }

  readonly #running = new Set<Promise<void>>();

  #next(): void {
    while (this.#working.size < this.#limit) {
      const key = this.#first();
      if (key === undefined) return;
      this.#waiting.delete(key);
      this.#urgent.delete(key);
      this.#working.add(key);
      const run = this.#work(key).then((rest) => {
        this.#running.delete(run);
        this.#working.delete(key);
        if (rest && !this.#urgent.has(key)) this.#rest(key, rest);
        else this.#comeAgain(key);
        this.#next();
      });
      this.#running.add(run);
    }
  }

  #rest(key: string, millis: number): void {
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#endRest(key);
      this.#next();
    }, millis);
    this.#resting.set(key, timer);
  }

  #endRest(key: string): void {
    const timer = this.#resting.get(key);
    if (timer === undefined) return;
    clearTimeout(timer);
    this.#resting.delete(key);
    this.#comeAgain(key);
  }

  #comeAgain(key: string): void {
    if (this.#again.delete(key) && !this.#closed) this.#waiting.add(key);
  }

  #first(): string | undefined {
    for (const key of this.#urgent) if (this.#waiting.has(key)) return key;
    for (const key of this.#waiting) return key;
    return undefined;
  }
}
