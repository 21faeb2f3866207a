/** Work that is done in rounds, one after the other, for as long as the controller runs: what cleans up. */
import type { Clock } from "@tiphys/base/clock";

/** The work of a round, and the time between two of them. */
export interface RoundsOptions {
  readonly clock: Clock;
  /** The time from the end of one round to the next one, in milliseconds; 0 for no rounds. */
  readonly everyMillis: number;
  /** The time before the first round, in milliseconds; `everyMillis` when absent. */
  readonly firstMillis?: number;
  /** Makes one round. It must not reject; the signal is aborted when the rounds end. */
  readonly round: (signal: AbortSignal) => Promise<void>;
}

/** The rounds of one kind of work. */
export class Rounds {
  readonly #options: RoundsOptions;
  readonly #stop = new AbortController();
  #takeBack = () => {};
  #round: Promise<void> = Promise.resolve();

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** Begins the rounds, if there are to be any. */
  start(): void {
    const { everyMillis, firstMillis = everyMillis } = this.#options;
    if (everyMillis > 0) this.#after(firstMillis);
  }

  /** Ends the rounds; resolves when the last one is made. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#takeBack();
    await this.#round;
  }

  #after(millis: number): void {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    const { clock, everyMillis, round } = this.#options;
    this.#takeBack = clock.after(millis, () => {
      this.#round = round(signal).finally(() => this.#after(everyMillis));
    });
  }
}
