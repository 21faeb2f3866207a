/**
 * Flow control: how many requests a server gets at a time. Not a rate that somebody guessed: the server itself says
 * what it can take, by answering at once, late, or with 429. Additive increase, multiplicative decrease, as in TCP,
 * over the number of requests that are under way.
 */
import { pause, systemClock } from "../clock/mod.ts";

/** A fixed rate on top, for those who want one: as `--qps` and `--burst` of other clients of Kubernetes. */
export interface RateLimit {
  /** Requests per second in the long run. */
  readonly qps: number;
  /** The number of requests that may come at once. */
  readonly burst: number;
}

/** The options of flow control: a fixed rate, the first and the highest limit of requests under way, and the clock. */
export interface FlowControlOptions {
  readonly rate?: RateLimit | undefined;
  /** Told how many milliseconds each request waited before it was made. */
  readonly onWaited?: ((millis: number) => void) | undefined;
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
/** The time in which reports of trouble count once: all requests under way when it began report the same. */
const TROUBLE_MILLIS = 1000;

/** The time of background work alone after which the server counts as calm. */
const CALM_MILLIS = 20;
/** The wait after which background work no longer waits for calm. */
const PATIENCE_MILLIS = 3000;
const OVERDUE_TURN = 8;

/** Lets as many requests through as the server can take; the others wait in line. */
export class FlowControl {
  #limit: number;
  readonly #most: number;
  readonly #now: () => number;
  readonly #wait: (millis: number) => Promise<void>;
  readonly #rate: RateLimit | undefined;
  readonly #onWaited: ((millis: number) => void) | undefined;
  readonly #line: (() => void)[] = [];
  readonly #backgroundLine: { readonly since: number; readonly go: () => void }[] = [];
  #turn = 0;
  #underWay = 0;
  /** The number of requests under way that are not background work, and the moment of the last one. */
  #inFront = 0;
  #lastInFront = -Infinity;
  #awaitsCalm = false;
  #lastTrouble = -Infinity;
  /** The moment at which the next request fits into the rate, in milliseconds of the clock. */
  #nextSlot = -Infinity;

  constructor(options: FlowControlOptions = {}) {
    this.#limit = options.start ?? START;
    this.#most = options.most ?? MOST;
    this.#now = options.now ?? (() => performance.now());
    this.#wait = options.wait ?? ((millis) => pause(systemClock, millis));
    this.#rate = options.rate;
    this.#onWaited = options.onWaited;
  }

  /** The number of requests that may be under way now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Whether work in the background waits for its turn: the server has not been calm since that came. */
  get isPuttingOff(): boolean {
    return this.#backgroundLine.length > 0;
  }

  /**
   * Makes a request when there is a place for it. Work in the background waits until there is nothing else to do: what it
   * takes of the server, and of the machine, somebody else would wait for. So that it is not put off for ever, it waits
   * for seconds at most; then every eighth place that becomes free is for it.
   */
  async run<T>(request: () => Promise<T>, { background = false }: { background?: boolean } = {}): Promise<T> {
    const came = this.#onWaited && this.#now();
    if (!background) this.#inFront++;
    if (background) await new Promise<void>((go) => this.#goBehind(go));
    else if (this.#underWay >= this.limit) await new Promise<void>((go) => this.#line.push(go));
    else this.#underWay++;
    try {
      if (this.#rate) await this.#awaitSlot(this.#rate);
      const full = this.#underWay >= this.limit;
      const start = this.#now();
      if (came !== undefined) this.#onWaited?.(start - came);
      const answer = await request();
      if (this.#now() - start > SLOW_MILLIS) this.troubled();
      else if (full) this.#limit = Math.min(this.#most, this.#limit + 1 / this.#limit);
      return answer;
    } finally {
      if (!background) {
        this.#inFront--;
        this.#lastInFront = this.#now();
      }
      this.#underWay--;
      this.#callNext();
    }
  }

  #goBehind(go: () => void): void {
    this.#backgroundLine.push({ since: this.#now(), go });
    this.#callNext();
  }

  /** The server has too much to do: half as much is asked of it from now on. */
  troubled(): void {
    if (this.#now() - this.#lastTrouble < TROUBLE_MILLIS) return;
    this.#lastTrouble = this.#now();
    this.#limit = Math.max(1, this.#limit / 2);
  }

  /** Places that are free go to the first in line, as long as the limit has room for them. */
  #callNext(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#underWay++;
      next();
    }
    if (this.#backgroundLine.length && this.#underWay === 0) void this.#awaitCalm();
  }

  #next(): (() => void) | undefined {
    if (this.#underWay >= this.limit) return undefined;
    if (this.#mayGoBehind()) return this.#backgroundLine.shift()!.go;
    return this.#line.shift();
  }

  /** Whether the free place is for the background. */
  #mayGoBehind(): boolean {
    const [first] = this.#backgroundLine;
    if (!first) return false;
    const isCalm = this.#inFront === 0 && this.#now() - this.#lastInFront >= CALM_MILLIS;
    if (isCalm) return this.#underWay < Math.ceil(this.limit / 2);
    return this.#now() - first.since >= PATIENCE_MILLIS && ++this.#turn % OVERDUE_TURN === 0;
  }

  /** Looks again when it may have become calm. */
  async #awaitCalm(): Promise<void> {
    if (this.#awaitsCalm) return;
    this.#awaitsCalm = true;
    await this.#wait(CALM_MILLIS);
    this.#awaitsCalm = false;
    this.#callNext();
  }

  async #awaitSlot({ qps, burst }: RateLimit): Promise<void> {
    const now = this.#now();
    const interval = 1000 / qps;
    const slot = Math.max(this.#nextSlot, now - (burst - 1) * interval);
    this.#nextSlot = slot + interval;
    if (slot > now) await this.#wait(slot - now);
  }
}
