/**
 * The slow lane in the same thread: if no other can be started, and in simulations, which control the order of every
 * step.
 */
import { FairQueue } from "../../loop/fair_queue.ts";
import type { EpochStamp, Receipt } from "../record/record.ts";
import type { LaneChange, LaneDecision, LaneTask, SlowLane } from "./lane.ts";
import { LaneWork } from "./lane_work.ts";

interface QueuedTask {
  readonly task: LaneTask;
  readonly resolve: (decision: LaneDecision) => void;
  readonly reject: (error: unknown) => void;
}

/** A lane that runs one pass after the other, namespaces in turn, with a turn of the event loop between two of them. */
export class InProcessLane implements SlowLane {
  readonly #keys = new Set<string>();
  readonly #work: LaneWork;
  readonly #line = new FairQueue();
  readonly #waiting = new Map<string, QueuedTask>();
  #inFlight: Promise<void> | undefined;

  constructor(elapsed?: () => number) {
    this.#work = new LaneWork((key) => this.#keys.delete(key), elapsed);
  }

  holds(key: string): boolean {
    return this.#keys.has(key);
  }

  decide(task: LaneTask): Promise<LaneDecision> {
    const { promise, resolve, reject } = Promise.withResolvers<LaneDecision>();
    this.#waiting.set(task.key, { task, resolve, reject });
    this.#line.add(task.key);
    this.#inFlight ??= this.#run();
    return promise;
  }

  packChange(key: string, stamp: EpochStamp): Promise<LaneChange | undefined> {
    return this.#work.packChange(key, stamp);
  }

  recordWrite(key: string, receipt: Receipt): void {
    this.#work.recordWrite(key, receipt);
  }

  forget(key: string): void {
    this.#keys.delete(key);
    this.#work.forget(key);
  }

  async close(): Promise<void> {
    await this.#inFlight;
  }

  async #run(): Promise<void> {
    for (let key = this.#line.first(); key !== undefined; key = this.#line.first()) {
      await new Promise<void>((resolve) => setTimeout(resolve, 0));
      this.#line.remove(key);
      const { task, resolve, reject } = this.#waiting.get(key)!;
      this.#waiting.delete(key);
      try {
        const decision = await this.#work.decide(task);
        this.#keys.add(key);
        resolve(decision);
      } catch (error) {
        this.forget(key);
        reject(error);
      }
    }
    this.#inFlight = undefined;
  }
}
