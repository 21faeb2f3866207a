/** Periodic cleanup that runs as long as the controller does. */
import type { Clock } from "@tiphys/base/clock";

/** The work of a round, and the time between rounds. */
export interface RoundsOptions {
  readonly clock: Clock;
  /** The time from the end of a round to the start of the next, in milliseconds; 0 to disable them. */
  readonly everyMillis: number;
  /** The time before the first round, in milliseconds; defaults to `everyMillis`. */
  readonly firstMillis?: number;
  /** Runs one round. It must not reject. The signal is aborted when the rounds are stopped. */
  readonly round: (signal: AbortSignal) => Promise<void>;
}

/** The rounds of one task. */
export class Rounds {
  readonly #options: RoundsOptions;
  readonly #stop = new AbortController();
  #takeBack = () => {};
  #round: Promise<void> = Promise.resolve();

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** Starts the rounds, if they are enabled. */
  start(): void {
    const { everyMillis, firstMillis = everyMillis } = this.#options;
    if (everyMillis > 0) this.#scheduleNext(firstMillis);
  }

  /** Stops the rounds; resolves when the current one has ended. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#takeBack();
    await this.#round;
  }

  #scheduleNext(millis: number): void {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    const { clock, everyMillis, round } = this.#options;
    this.#takeBack = clock.after(millis, () => {
      this.#round = round(signal).finally(() => this.#scheduleNext(everyMillis));
    });
  }
}
