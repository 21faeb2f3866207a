/**
 * Flow control: limits the number of concurrent requests to a server. The limit follows from the server's behavior:
 * prompt responses, slow ones, or 429. It grows additively and shrinks multiplicatively, as in TCP.
 */
import { pause, systemClock } from "@tiphys/base/clock";

/** An additional fixed rate limit, such as `--qps` and `--burst` of other Kubernetes clients. */
export interface RateLimit {
  /** Requests per second on average. */
  readonly qps: number;
  /** Number of requests that may be sent at once. */
  readonly burst: number;
}

/** Options of flow control: a fixed rate, the initial and the maximum number of concurrent requests, and the clock. */
export interface FlowControlOptions {
  readonly rate?: RateLimit | undefined;
  /** Called with the time, in milliseconds, that each request waited before it was sent. */
  readonly onWaited?: ((millis: number) => void) | undefined;
  readonly start?: number;
  readonly max?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  readonly wait?: (millis: number) => Promise<void>;
}

const INITIAL_LIMIT = 16;
const MAX_LIMIT = 48;
/** A response after this time indicates overload. Kubernetes' objective is one second. */
const SLOW_MILLIS = 3000;
/**
 * Further signs of overload within this time are ignored, because requests that were in flight report the same
 * overload.
 */
const OVERLOAD_PAUSE_MILLIS = 1000;

/** Time without foreground requests after which the server counts as calm. */
const CALM_MILLIS = 20;
/** Time after which background work no longer waits until the server is calm. */
const MAX_BACKGROUND_WAIT_MILLIS = 3000;
const BACKGROUND_SHARE = 8;

/** Sends up to the current limit of requests concurrently; others wait in a queue. */
export class FlowControl {
  #limit: number;
  readonly #maxLimit: number;
  readonly #now: () => number;
  readonly #wait: (millis: number) => Promise<void>;
  readonly #rate: RateLimit | undefined;
  readonly #onWaited: ((millis: number) => void) | undefined;
  readonly #queue: (() => void)[] = [];
  readonly #backgroundQueue: { readonly since: number; readonly go: () => void }[] = [];
  #turn = 0;
  #inFlight = 0;
  /** Number of foreground requests in flight, and the time of the last one. */
  #foreground = 0;
  #lastForeground = -Infinity;
  #isAwaitingCalm = false;
  #lastOverload = -Infinity;
  /** Time at which the next request fits into the rate, in milliseconds of the clock. */
  #nextSlot = -Infinity;

  constructor(options: FlowControlOptions = {}) {
    this.#limit = options.start ?? INITIAL_LIMIT;
    this.#maxLimit = options.max ?? MAX_LIMIT;
    this.#now = options.now ?? (() => performance.now());
    this.#wait = options.wait ?? ((millis) => pause(systemClock, millis));
    this.#rate = options.rate;
    this.#onWaited = options.onWaited;
  }

  /** The current limit of concurrent requests. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Whether background work is waiting: the server has not been calm since it arrived. */
  get isBackgroundWaiting(): boolean {
    return this.#backgroundQueue.length > 0;
  }

  /**
   * Runs a request when the limit permits it. Background work waits until there are no other requests, because it would
   * delay them. To prevent starvation it waits only a few seconds; after that, every eighth free slot is for background
   * work.
   */
  async run<T>(request: () => Promise<T>, { background = false }: { background?: boolean } = {}): Promise<T> {
    const came = this.#onWaited && this.#now();
    if (!background) this.#foreground++;
    if (background) await new Promise<void>((go) => this.#enqueueBackground(go));
    else if (this.#inFlight >= this.limit) await new Promise<void>((go) => this.#queue.push(go));
    else this.#inFlight++;
    try {
      if (this.#rate) await this.#awaitSlot(this.#rate);
      const full = this.#inFlight >= this.limit;
      const start = this.#now();
      if (came !== undefined) this.#onWaited?.(start - came);
      const answer = await request();
      if (this.#now() - start > SLOW_MILLIS) this.reportOverload();
      else if (full) this.#limit = Math.min(this.#maxLimit, this.#limit + 1 / this.#limit);
      return answer;
    } finally {
      if (!background) {
        this.#foreground--;
        this.#lastForeground = this.#now();
      }
      this.#inFlight--;
      this.#startNext();
    }
  }

  #enqueueBackground(go: () => void): void {
    this.#backgroundQueue.push({ since: this.#now(), go });
    this.#startNext();
  }

  /** Halves the limit, because the server is overloaded. */
  reportOverload(): void {
    if (this.#now() - this.#lastOverload < OVERLOAD_PAUSE_MILLIS) return;
    this.#lastOverload = this.#now();
    this.#limit = Math.max(1, this.#limit / 2);
  }

  /** Starts the next requests in the queue, up to the limit. */
  #startNext(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#inFlight++;
      next();
    }
    if (this.#backgroundQueue.length && this.#inFlight === 0) void this.#awaitCalm();
  }

  #next(): (() => void) | undefined {
    if (this.#inFlight >= this.limit) return undefined;
    if (this.#mayRunBackground()) return this.#backgroundQueue.shift()!.go;
    return this.#queue.shift();
  }

  /** Whether the free slot is for background work. */
  #mayRunBackground(): boolean {
    const [first] = this.#backgroundQueue;
    if (!first) return false;
    const isCalm = this.#foreground === 0 && this.#now() - this.#lastForeground >= CALM_MILLIS;
    if (isCalm) return this.#inFlight < Math.ceil(this.limit / 2);
    return this.#now() - first.since >= MAX_BACKGROUND_WAIT_MILLIS && ++this.#turn % BACKGROUND_SHARE === 0;
  }

  /** Checks again when the server may have become calm. */
  async #awaitCalm(): Promise<void> {
    if (this.#isAwaitingCalm) return;
    this.#isAwaitingCalm = true;
    await this.#wait(CALM_MILLIS);
    this.#isAwaitingCalm = false;
    this.#startNext();
  }

  async #awaitSlot({ qps, burst }: RateLimit): Promise<void> {
    const now = this.#now();
    const interval = 1000 / qps;
    const slot = Math.max(this.#nextSlot, now - (burst - 1) * interval);
    this.#nextSlot = slot + interval;
    if (slot > now) await this.#wait(slot - now);
  }
}
