/**
 * The reconcile loop: runs a pass over each object that changed, and decides when to run the next one. It is
 * independent of the kind of objects. So that no object stops the others, errors of passes are classified here, in one
 * place.
 */
import { classifyError, type KubeObject } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import { Backoff } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { Kind, Requeue } from "./kind.ts";
import { type PassGuard, ProcessEndedError } from "./pass_guard.ts";
import { Quarantine } from "./quarantine.ts";
import { type QueueWatch, WorkQueue } from "./work_queue.ts";

/** The kind that a loop processes, its number of workers, and the conditions under which it pauses. */
export interface LoopOptions {
  readonly kind: Kind;
  readonly log: Log;
  readonly clock: Clock;
  /** The number of objects that are processed concurrently. */
  readonly workers: number;
  /** Receives the events of the queue, for metrics. */
  readonly watch?: QueueWatch | undefined;
  /** Whether processing is paused. Checked before each pass; call `resume()` when it ends. */
  readonly isPaused?: (() => boolean) | undefined;
  /** Prevents passes over objects that crashed the process repeatedly. */
  readonly guard?: PassGuard | undefined;
}

/** The back-off after transient errors of passes and actions. */
export const TRANSIENT_BACKOFF = { firstMillis: 1000, maxMillis: 30_000 };

/** The processing state of one object. Times are in milliseconds since 1970. */
export interface LoopState {
  /** The position of the object in the queue, from 1. */
  readonly place: number | undefined;
  /** The end of the object's pause after a long pass. */
  readonly restsUntil: number | undefined;
  /** The last transient error, after which the pass is retried. */
  readonly backoff: { readonly words: string; readonly times: number; readonly until: number } | undefined;
  /** Present if passes over the object keep failing. */
  readonly quarantine: { readonly until: number } | undefined;
}

/** The reconcile loop of one kind. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #queue: WorkQueue;
  readonly #backoff = new Backoff(TRANSIENT_BACKOFF);
  readonly #quarantine: Quarantine;
  /** The transient errors of the last passes, by key. */
  readonly #transientErrors = new Map<string, NonNullable<LoopState["backoff"]>>();
  /** The keys that were enqueued while processing is paused. */
  readonly #held = new Set<string>();

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#quarantine = new Quarantine(options.clock);
    this.#queue = new WorkQueue(
      (key, stepAside) => this.#work(key, stepAside),
      options.workers,
      options.clock,
      options.watch,
    );
  }

  /** The number of queued passes. */
  get depth(): number {
    return this.#queue.depth;
  }

  /** The time for which passes have been queued while none ended, in milliseconds. */
  get stalledMillis(): number {
    return this.#queue.stalledMillis;
  }

  /** Enqueues a pass over an object. */
  add(key: string, options?: { readonly urgent?: boolean }): void {
    this.#queue.add(key, options);
  }

  /** Enqueues a pass after a delay. */
  requeue(key: string, millis: number): void {
    if (millis === 0) this.#queue.add(key);
    else this.#queue.addAt(key, this.#options.clock.now() + millis);
  }

  /** Discards all state of an object that is gone. */
  forget(key: string): void {
    this.#backoff.forget(key);
    this.#transientErrors.delete(key);
    this.#quarantine.release(key);
  }

  /** The processing state of an object. */
  stateOf(key: string): LoopState {
    const seen = this.#options.kind.cachedObject(key);
    const until = seen && this.#quarantine.quarantineEnd(key, seen);
    return {
      place: this.#queue.placeOf(key),
      restsUntil: this.#queue.pausedUntil(key),
      backoff: this.#transientErrors.get(key),
      quarantine: until === undefined ? undefined : { until },
    };
  }

  /** Ends the pause: enqueues the objects that were requested in the meantime. */
  resume(): void {
    const held = [...this.#held];
    // Cleared first: an object for which processing is still paused is added again.
    this.#held.clear();
    for (const key of held) this.#queue.add(key);
  }

  /** Accepts no more keys, and resolves when running passes have ended. */
  async close(): Promise<void> {
    await this.#queue.close();
  }

  async #work(key: string, stepAside: () => void): Promise<number | undefined> {
    const { isPaused, kind } = this.#options;
    if (isPaused?.()) {
      this.#held.add(key);
      return undefined;
    }
    const back = await this.#pass(key, stepAside);
    if (back === "now") this.#queue.add(key);
    else if (back !== "onChange") this.#queue.addAt(key, back);
    return kind.restMillis?.(key);
  }

  async #pass(key: string, stepAside: () => void): Promise<Requeue> {
    const { kind, clock, log, guard } = this.#options;
    const seen = kind.cachedObject(key);
    const rest = seen && this.#quarantine.quarantineEnd(key, seen);
    if (rest !== undefined) return rest;
    if (seen && guard?.beginPass(kind.name, seen) === false) {
      return await this.#reportFailure(key, seen, new ProcessEndedError(), 0);
    }
    const began = performance.now();
    try {
      const { requeue, isInconclusive } = await kind.pass(key, stepAside);
      if (!isInconclusive) this.forget(key);
      return requeue;
    } catch (error) {
      // The message of an error of the object may contain anything, including that of a transient error.
      switch (kind.isOfObject(error) ? "invalid" : classifyError(error)) {
        case "conflict":
          // Another client wrote in the meantime. The watch delivers its version, which causes the next pass.
          return kind.retryAfterConflict(key);
        case "transient":
        case "forbidden":
        case "notFound": {
          // Retried until it succeeds. There is no next pass over a deleted object.
          const wait = this.#backoff.next(key);
          const { times = 0 } = this.#transientErrors.get(key) ?? {};
          this.#transientErrors.set(key, { words: String(error), times: times + 1, until: clock.now() + wait });
          this.#options.watch?.onRetry();
          log.warn("A pass failed, retrying", { [kind.name]: key, millis: wait, error: String(error) });
          return clock.now() + wait;
        }
        default:
          return seen ? await this.#reportFailure(key, seen, error, performance.now() - began) : "onChange";
      }
    } finally {
      if (seen) guard?.endPass(kind.name, seen);
    }
  }

  /** Quarantines an object whose pass failed, and reports it once. */
  async #reportFailure(key: string, seen: KubeObject, error: unknown, millis: number): Promise<Requeue> {
    const { kind, log } = this.#options;
    const { failures, until } = this.#quarantine.add(key, seen, millis);
    try {
      const marked = await kind.reportFailure(key, { seen, error, failures });
      if (marked) this.#quarantine.recordWrite(key, marked);
    } catch (second) {
      log.error(`Could not report the failure of a ${kind.name}`, { [kind.name]: key, error: String(second) });
    }
    return until;
  }
}
