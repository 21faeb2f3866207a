/** Batched writes of task results: many in one request, and one request at a time. */
import type { NodeResult } from "@tiphys/model/api";
import { type Clock, pause } from "@tiphys/base/clock";

/** The function that writes results, and the batching interval. */
export interface ReporterOptions {
  readonly clock: Clock;
  /** The time for which results are batched after a write, in milliseconds. */
  readonly gatherMillis: number;
  /** Writes results into the task set. @throws {Error} when the write fails. */
  write(results: Readonly<Record<string, NodeResult>>): Promise<void>;
  log(message: string): void;
  /** Called when neither the result of a task nor the error about it could be written. */
  onWriteFailed?(error: unknown): void;
}

/** Writes results of tasks in batches. */
export class Reporter {
  readonly #options: ReporterOptions;
  #pending = new Map<string, NodeResult>();
  /** Resolves to the IDs of the pending results that were written. */
  #written: PromiseWithResolvers<ReadonlySet<string>> | undefined;
  #isWriting = false;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  /** Queues a result. Resolves to whether it was written. */
  async queue(nodeId: string, result: NodeResult): Promise<boolean> {
    this.#pending.set(nodeId, result);
    const written = this.#written ??= Promise.withResolvers<ReadonlySet<string>>();
    if (!this.#isWriting) {
      this.#isWriting = true;
      void this.#writeQueued();
    }
    return (await written.promise).has(nodeId);
  }

  async #writeQueued(): Promise<void> {
    // Results that arrive in the same turn of the event loop are written in one request.
    await Promise.resolve();
    while (this.#pending.size) {
      const results = Object.fromEntries(this.#pending);
      const written = this.#written!;
      this.#pending = new Map();
      this.#written = undefined;
      written.resolve(await this.#write(results));
      if (this.#pending.size) await pause(this.#options.clock, this.#options.gatherMillis);
    }
    this.#isWriting = false;
  }

  /**
   * Writes results and returns the IDs of those that were written. If the write fails, each result is written
   * separately, so that one rejected result does not affect the others.
   */
  async #write(results: Readonly<Record<string, NodeResult>>): Promise<ReadonlySet<string>> {
    const ids = Object.keys(results);
    try {
      await this.#options.write(results);
      return new Set(ids);
    } catch (error) {
      const { message } = error as Error;
      this.#options.log(`failed to write results: ${message}`);
      if (ids.length === 1) {
        await this.#reportWriteFailure(ids[0]!, message);
        return new Set();
      }
    }
    const written = new Set<string>();
    for (const id of ids) for (const reported of await this.#write({ [id]: results[id]! })) written.add(reported);
    return written;
  }

  async #reportWriteFailure(id: string, reason: string): Promise<void> {
    const message = `HTTP request completed successfully but an error occurred when patching its result: ${reason}`;
    try {
      await this.#options.write({ [id]: { phase: "Error", message } });
    } catch (error) {
      this.#options.log(`failed to write the error of task ${id}: ${(error as Error).message}`);
      this.#options.onWriteFailed?.(error);
    }
  }
}
