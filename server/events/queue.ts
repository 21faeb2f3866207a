/** The queue of asynchronously dispatched events. Both concurrency and length are limited. */
import type { Log } from "@tiphys/base/log";

/** The limits of the queue. */
export interface EventQueueOptions {
  /** The maximum number of waiting events. */
  readonly size: number;
  /** The maximum number of events processed in parallel. */
  readonly workers: number;
  readonly log: Log;
}

/** Runs work after its request was answered. */
export class EventQueue {
  readonly #options: EventQueueOptions;
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(options: EventQueueOptions) {
    this.#options = options;
  }

  /** Adds work. Returns false if the queue is full. */
  tryAdd(work: () => Promise<void>): boolean {
    if (this.#running.size < this.#options.workers) {
      this.#begin(work);
      return true;
    }
    if (this.#waiting.length >= this.#options.size) return false;
    this.#waiting.push(work);
    return true;
  }

  /** Resolves when no work is running or waiting. */
  async waitUntilIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #begin(work: () => Promise<void>): void {
    const run = work().catch((error) => {
      this.#options.log.error("An asynchronous event was lost", { error: String(error) });
    }).finally(() => {
      this.#running.delete(run);
      const next = this.#waiting.shift();
      if (next) this.#begin(next);
    });
    this.#running.add(run);
  }
}
