/** The health of the controller's program: it is sick by its own fault only, never because there is much to do. */
import type { Reason } from "@tiphys/engine/explain";
import type { Controller } from "./start.ts";

/** The part of a controller that its health is read from. */
type Watched = Pick<Controller, "queueDepth" | "stalledMillis" | "why">;

/** The delay of the thread with which it answers nobody in time. */
const MOST_DELAY_MILLIS = 5000;
/** The time without the end of a pass after which the waiting ones will not begin by themselves. */
const MOST_STALL_MILLIS = 60_000;
/** The time between two measurements of the thread's delay, and the number of measurements that count. */
const MEASURE_MILLIS = 1000;
const MEASUREMENTS = 10;

/** The answer to a probe. */
export interface HealthAnswer {
  readonly status: 200 | 500;
  readonly text: string;
}

/** The health of this process. A process that waits for its turn, or for its settings, is well. */
export class Health {
  readonly #now: () => number;
  #controller: Watched | undefined;
  #held: string | undefined;
  #delays: number[] = [];
  #measured: number;

  /** `now` is a clock in milliseconds that only goes forward. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#measured = now();
  }

  /** Measures how long the thread is held up, until the signal is aborted. */
  start(signal: AbortSignal): void {
    this.#measured = this.#now();
    const timer = setInterval(() => this.measure(), MEASURE_MILLIS);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  /** A measurement, which was due a second after the one before. */
  measure(): void {
    const now = this.#now();
    this.#delays = [...this.#delays, now - this.#measured - MEASURE_MILLIS].slice(-MEASUREMENTS);
    this.#measured = now;
  }

  /** This controller is at work. */
  watch(controller: Watched): void {
    this.#controller = controller;
  }

  /** No workflow is worked for this reason; undefined when they are again. */
  isHeld(reason: string | undefined): void {
    this.#held = reason;
  }

  /**
   * The reasons why the workflow of a key waits; undefined where the controller is not at work, or sees no such
   * workflow.
   */
  async why(key: string): Promise<Reason[] | undefined> {
    return await this.#controller?.why(key);
  }

  /** The answer to a probe that comes now. */
  get answer(): HealthAnswer {
    const delay = Math.max(0, ...this.#delays);
    if (delay > MOST_DELAY_MILLIS) return sick(`the thread of the controller was held up for ${seconds(delay)}`);
    const { stalledMillis = 0, queueDepth = 0 } = this.#controller ?? {};
    if (stalledMillis > MOST_STALL_MILLIS) {
      return sick(`no pass has come to its end for ${seconds(stalledMillis)}, and ${queueDepth} wait`);
    }
    const but = this.#held === undefined
      ? ""
      : `, but no workflow is worked until the settings are mended: ${this.#held}`;
    return { status: 200, text: `ok${but}\n` };
  }
}

function sick(why: string): HealthAnswer {
  return { status: 500, text: `${why}\n` };
}

function seconds(millis: number): string {
  return `${Math.round(millis / 1000)} s`;
}
