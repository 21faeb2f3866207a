/** Telling the controller what came of tasks: many in one request, and no request while another is under way. */
import type { NodeResult } from "../../lib/api/mod.ts";
import { type Clock, pause } from "../../lib/clock/mod.ts";

/** The function that writes results, and the pace at which it is called. */
export interface ReporterOptions {
  readonly clock: Clock;
  /** The time for which results are gathered after others were told, in milliseconds. */
  readonly gatherMillis: number;
  /** Writes results into the task set. @throws {Error} when that cannot be done. */
  write(results: Readonly<Record<string, NodeResult>>): Promise<void>;
  log(message: string): void;
  /** Called when nothing can be told of a task, not even that its result cannot. */
  onUntold?(error: unknown): void;
}

/** Tells results. */
export class Reporter {
  readonly #options: ReporterOptions;
  #waiting = new Map<string, NodeResult>();
  /** The IDs of what was written, of those that wait. */
  #told: PromiseWithResolvers<ReadonlySet<string>> | undefined;
  #isWriting = false;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  /** Tells a result; resolves to whether it was written. */
  async tell(nodeId: string, result: NodeResult): Promise<boolean> {
    this.#waiting.set(nodeId, result);
    const told = this.#told ??= Promise.withResolvers<ReadonlySet<string>>();
    if (!this.#isWriting) {
      this.#isWriting = true;
      void this.#run();
    }
    return (await told.promise).has(nodeId);
  }

  async #run(): Promise<void> {
    // Results of one turn of the event loop go in one request.
    await Promise.resolve();
    while (this.#waiting.size) {
      const results = Object.fromEntries(this.#waiting);
      const told = this.#told!;
      this.#waiting = new Map();
      this.#told = undefined;
      told.resolve(await this.#write(results));
      if (this.#waiting.size) await pause(this.#options.clock, this.#options.gatherMillis);
    }
    this.#isWriting = false;
  }

  /** Answers what was written. One that the server does not take keeps no other from it. */
  async #write(results: Readonly<Record<string, NodeResult>>): Promise<ReadonlySet<string>> {
    const ids = Object.keys(results);
    try {
      await this.#options.write(results);
      return new Set(ids);
    } catch (error) {
      const { message } = error as Error;
      this.#options.log(`results could not be told: ${message}`);
      if (ids.length === 1) {
        await this.#giveUp(ids[0]!, message);
        return new Set();
      }
    }
    const written = new Set<string>();
    for (const id of ids) for (const one of await this.#write({ [id]: results[id]! })) written.add(one);
    return written;
  }

  async #giveUp(id: string, why: string): Promise<void> {
    const message = `HTTP request completed successfully but an error occurred when patching its result: ${why}`;
    try {
      await this.#options.write({ [id]: { phase: "Error", message } });
    } catch (error) {
      this.#options.log(`nor could that: ${(error as Error).message}`);
      this.#options.onUntold?.(error);
    }
  }
}
