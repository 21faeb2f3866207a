/** The queue of events that nobody waits for: both those carried at a time and those that wait are limited. */
import type { Log } from "../../lib/log.ts";

/** The limits of the queue. */
export interface EventQueueOptions {
  /** Events that may wait. */
  readonly size: number;
  /** Events that are carried at a time. */
  readonly workers: number;
  readonly log: Log;
}

/** Work that is done after its request was answered. */
export class EventQueue {
  readonly #options: EventQueueOptions;
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #atWork = new Set<Promise<void>>();

  constructor(options: EventQueueOptions) {
    this.#options = options;
  }

  /** Takes work; false where the queue is full. */
  offer(work: () => Promise<void>): boolean {
    if (this.#atWork.size < this.#options.workers) {
      this.#begin(work);
      return true;
    }
    if (this.#waiting.length >= this.#options.size) return false;
    this.#waiting.push(work);
    return true;
  }

  /** Resolves when nothing is at work and nothing waits. */
  async idle(): Promise<void> {
    while (this.#atWork.size > 0) await Promise.all(this.#atWork);
  }

  #begin(work: () => Promise<void>): void {
    const run = work().catch((error) => {
      this.#options.log.error("An event that nobody waited for was lost", { error: String(error) });
    }).finally(() => {
      this.#atWork.delete(run);
      const next = this.#waiting.shift();
      if (next) this.#begin(next);
    });
    this.#atWork.add(run);
  }
}
