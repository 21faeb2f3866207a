/**
 * How much is asked of a server at a time. Not a rate that somebody guessed: the server itself says what it can take, by
 * answering at once, late, or with 429. Additive increase, multiplicative decrease, as in
 * TCP, over the number of requests that are under way.
 */

/** A fixed rate on top, for those who want one: as `--qps` and `--burst` of other clients of Kubernetes. */
export interface RateLimit {
  /** Requests per second in the long run. */
  readonly qps: number;
  /** How many of them may come at once. */
  readonly burst: number;
}

/** Where the limit begins, and how far it may go; replaced in tests. */
export interface FlowControlOptions {
  readonly rate?: RateLimit | undefined;
  readonly start?: number;
  readonly most?: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number;
  readonly wait?: (millis: number) => Promise<void>;
}

const START = 16;
const MOST = 48;
/** Kubernetes promises its answers in a second; one that takes this long is a sign of too much work. */
const SLOW_MILLIS = 3000;
/** All that was under way when trouble began reports the same trouble: it counts once. */
const TROUBLE_MILLIS = 1000;

const BACKGROUND_SHARE = 16;
const BACKGROUND_TURN = 8;

/** Lets as many requests through as the server can take; the others wait in line. */
export class FlowControl {
  #limit: number;
  readonly #most: number;
  readonly #now: () => number;
  readonly #wait: (millis: number) => Promise<void>;
  readonly #rate: RateLimit | undefined;
  readonly #line: (() => void)[] = [];
  readonly #backgroundLine: (() => void)[] = [];
  #turn = 0;
  #underWay = 0;
  #lastTrouble = -Infinity;
  /** When the next request fits into the rate. */
  #nextSlot = -Infinity;

  constructor(options: FlowControlOptions = {}) {
    this.#limit = options.start ?? START;
    this.#most = options.most ?? MOST;
    this.#now = options.now ?? (() => performance.now());
    this.#wait = options.wait ?? ((millis) => new Promise((resolve) => setTimeout(resolve, millis)));
    this.#rate = options.rate;
  }

  /** How many requests may be under way now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /**
   * Makes a request when there is a place for it. One in the background takes none of the places that the others may need
   * at any moment: it goes while nearly nothing else is under way. So that it is not put off for ever, every eighth place that
   * becomes free is for the background.
   */
  async run<T>(request: () => Promise<T>, options: { readonly background?: boolean } = {}): Promise<T> {
    const line = options.background ? this.#backgroundLine : this.#line;
    if (this.#underWay >= this.#placesFor(line)) await new Promise<void>((resolve) => line.push(resolve));
    else this.#underWay++;
    try {
      if (this.#rate) await this.#awaitSlot(this.#rate);
      const full = this.#underWay >= this.limit;
      const start = this.#now();
      const answer = await request();
      if (this.#now() - start > SLOW_MILLIS) this.troubled();
      else if (full) this.#limit = Math.min(this.#most, this.#limit + 1 / this.#limit);
      return answer;
    } finally {
      this.#leave();
    }
  }

  /** The server has too much to do: half as much is asked of it from now on. */
  troubled(): void {
    if (this.#now() - this.#lastTrouble < TROUBLE_MILLIS) return;
    this.#lastTrouble = this.#now();
    this.#limit = Math.max(1, this.#limit / 2);
  }

  /** A place that is free goes to the first in line, as long as the limit has room for it. */
  #leave(): void {
    this.#underWay--;
    for (let next = this.#next(); next; next = this.#next()) {
      this.#underWay++;
      next();
    }
  }

  #next(): (() => void) | undefined {
    if (this.#underWay >= this.limit) return undefined;
    if (++this.#turn % BACKGROUND_TURN === 0 && this.#backgroundLine.length) return this.#backgroundLine.shift();
    if (this.#line.length) return this.#line.shift();
    return this.#underWay < this.#placesFor(this.#backgroundLine) ? this.#backgroundLine.shift() : undefined;
  }

  #placesFor(line: unknown): number {
    return line === this.#backgroundLine ? Math.ceil(this.limit / BACKGROUND_SHARE) : this.limit;
  }

  async #awaitSlot({ qps, burst }: RateLimit): Promise<void> {
    const now = this.#now();
    const interval = 1000 / qps;
    const slot = Math.max(this.#nextSlot, now - (burst - 1) * interval);
    this.#nextSlot = slot + interval;
    if (slot > now) await this.#wait(slot - now);
  }
}
