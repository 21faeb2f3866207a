/**
 * The health of the controller's program. It is unhealthy only because of internal faults, never because of high load.
 */
import type { Reason } from "@tiphys/engine/explain";
import type { Controller } from "./start.ts";

/** The part of a controller that determines its health. */
type HealthSource = Pick<Controller, "queueDepth" | "stalledMillis" | "why">;

/** The maximum delay of the event loop in milliseconds. Above it, probes would time out. */
const MAX_DELAY_MILLIS = 5000;
/**
 * The time for which passes may be queued without the end of a pass before the controller counts as stuck, in
 * milliseconds.
 */
const MAX_STALL_MILLIS = 60_000;
/** The interval between measurements of the event loop's delay, and how many of them count. */
const MEASURE_MILLIS = 1000;
const MEASUREMENTS = 10;

/** The response to a probe. */
export interface HealthAnswer {
  readonly status: 200 | 500;
  readonly text: string;
}

/** The health of this process. A process that waits for leadership or for valid settings is healthy. */
export class Health {
  readonly #now: () => number;
  #controller: HealthSource | undefined;
  #pauseReason: string | undefined;
  #delays: number[] = [];
  #measured: number;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#measured = now();
  }

  /** Measures the delay of the event loop until the signal is aborted. */
  start(signal: AbortSignal): void {
    this.#measured = this.#now();
    const timer = setInterval(() => this.measure(), MEASURE_MILLIS);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  /** Takes a measurement, which was due a second after the previous one. */
  measure(): void {
    const now = this.#now();
    this.#delays = [...this.#delays, now - this.#measured - MEASURE_MILLIS].slice(-MEASUREMENTS);
    this.#measured = now;
  }

  /** Sets the running controller. */
  watch(controller: HealthSource): void {
    this.#controller = controller;
  }

  /** Sets the reason why no workflow is processed; undefined if they are. */
  setPauseReason(reason: string | undefined): void {
    this.#pauseReason = reason;
  }

  /** The reasons why a workflow waits; undefined if the controller is not running or has no such workflow. */
  async reasonsFor(key: string): Promise<Reason[] | undefined> {
    return await this.#controller?.why(key);
  }

  /** The response to a probe at this moment. */
  get current(): HealthAnswer {
    const delay = Math.max(0, ...this.#delays);
    if (delay > MAX_DELAY_MILLIS) return unhealthy(`the event loop was blocked for ${seconds(delay)}`);
    const { stalledMillis = 0, queueDepth = 0 } = this.#controller ?? {};
    if (stalledMillis > MAX_STALL_MILLIS) {
      return unhealthy(`no pass has ended for ${seconds(stalledMillis)}, and ${queueDepth} are queued`);
    }
    const but = this.#pauseReason === undefined
      ? ""
      : `, but no workflow is processed until the settings are fixed: ${this.#pauseReason}`;
    return { status: 200, text: `ok${but}\n` };
  }
}

function unhealthy(reason: string): HealthAnswer {
  return { status: 500, text: `${reason}\n` };
}

function seconds(millis: number): string {
  return `${Math.round(millis / 1000)} s`;
}
