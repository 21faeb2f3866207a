/**
 * The loop: asks a kind for a pass over each of its objects that something happened to, and decides when to come back. It
 * knows no kind. One object must not stop the others: what goes wrong in a pass is sorted here, in one place.
 */
import { type KubeObject, sortError } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import { Backoff } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { ComeBack, Kind } from "./kind.ts";
import { type PassGuard, ProcessEndedError } from "./pass_guard.ts";
import { Quarantine } from "./quarantine.ts";
import { type QueueWatch, WorkQueue } from "./work_queue.ts";

/** The kind that a loop works, the number of its workers, and what may hold it. */
export interface LoopOptions {
  readonly kind: Kind;
  readonly log: Log;
  readonly clock: Clock;
  /** Objects worked on at a time. */
  readonly workers: number;
  /** Counts what the queue does. */
  readonly watch?: QueueWatch | undefined;
  /** Whether no object may be worked now; asked for each pass. When that ends, `resume()` is to be called. */
  readonly isHeld?: (() => boolean) | undefined;
  /** Refuses passes over objects that ended the process repeatedly. */
  readonly guard?: PassGuard | undefined;
}

/** The pauses of an object after trouble of the world, and of an action that failed. */
export const TROUBLE_BACKOFF = { firstMillis: 1000, mostMillis: 30_000 };

/** The state of the work on one object. Times are milliseconds since 1970. */
export interface LoopState {
  /** Its place among those that want a pass, from 1. */
  readonly place: number | undefined;
  /** The end of its rest after a long pass. */
  readonly restsUntil: number | undefined;
  /** Trouble of the world, after which a pass is tried again. */
  readonly backoff: { readonly words: string; readonly times: number; readonly until: number } | undefined;
  /** No pass over it comes to its end. */
  readonly quarantine: { readonly until: number } | undefined;
}

/** The loop of one kind. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #queue: WorkQueue;
  readonly #backoff = new Backoff(TROUBLE_BACKOFF);
  readonly #quarantine: Quarantine;
  /** Objects whose last pass met trouble of the world. */
  readonly #troubles = new Map<string, NonNullable<LoopState["backoff"]>>();
  /** The keys that were asked for while nothing may be worked. */
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

  /** Passes that wait for a place. */
  get depth(): number {
    return this.#queue.depth;
  }

  /** The time for which passes have waited while none came to its end, in milliseconds. */
  get stalledMillis(): number {
    return this.#queue.stalledMillis;
  }

  /** Asks for a pass over the object of a key as soon as there is a place. */
  add(key: string, options?: { readonly urgent?: boolean }): void {
    this.#queue.add(key, options);
  }

  /** Asks for a pass in so many milliseconds. */
  comeBack(key: string, millis: number): void {
    if (millis === 0) this.#queue.add(key);
    else this.#queue.addAt(key, this.#options.clock.now() + millis);
  }

  /** An object is gone: nothing about it is remembered. */
  forget(key: string): void {
    this.#backoff.forget(key);
    this.#troubles.delete(key);
    this.#quarantine.release(key);
  }

  /** The state of the work on the object of a key. */
  stateOf(key: string): LoopState {
    const seen = this.#options.kind.seen(key);
    const until = seen && this.#quarantine.restOf(key, seen);
    return {
      place: this.#queue.placeOf(key),
      restsUntil: this.#queue.restsUntil(key),
      backoff: this.#troubles.get(key),
      quarantine: until === undefined ? undefined : { until },
    };
  }

  /** Objects may be worked again: those that were asked for meanwhile are looked at. */
  resume(): void {
    const held = [...this.#held];
    // Before they are asked for: what may still not be worked is held again at once.
    this.#held.clear();
    for (const key of held) this.#queue.add(key);
  }

  /** Takes nothing more and resolves when what was begun is done. */
  async close(): Promise<void> {
    await this.#queue.close();
  }

  async #work(key: string, stepAside: () => void): Promise<number | undefined> {
    const { isHeld, kind } = this.#options;
    if (isHeld?.()) {
      this.#held.add(key);
      return undefined;
    }
    const back = await this.#pass(key, stepAside);
    if (back === "now") this.#queue.add(key);
    else if (back !== "onChange") this.#queue.addAt(key, back);
    return kind.restMillis?.(key);
  }

  async #pass(key: string, stepAside: () => void): Promise<ComeBack> {
    const { kind, clock, log, guard } = this.#options;
    const seen = kind.seen(key);
    const rest = seen && this.#quarantine.restOf(key, seen);
    if (rest !== undefined) return rest;
    if (seen && guard?.enter(kind.name, seen) === false) {
      return await this.#giveUp(key, seen, new ProcessEndedError(), 0);
    }
    const began = performance.now();
    try {
      const { comeBack, isUnsettled } = await kind.pass(key, stepAside);
      if (!isUnsettled) this.forget(key);
      return comeBack;
    } catch (error) {
      // The message of an error that is the object's may quote anything, trouble of the world too.
      switch (kind.isOfObject(error) ? "invalid" : sortError(error)) {
        case "conflict":
          // Somebody wrote in between. The watch brings the newer state, and with it the next pass.
          return kind.conflicted(key);
        case "transient":
        case "forbidden":
        case "notFound": {
          // The world's trouble, for as long as it takes; an object that is gone is not asked about again.
          const wait = this.#backoff.next(key);
          const { times = 0 } = this.#troubles.get(key) ?? {};
          this.#troubles.set(key, { words: String(error), times: times + 1, until: clock.now() + wait });
          this.#options.watch?.retried();
          log.warn("A pass failed and is tried again", { [kind.name]: key, millis: wait, error: String(error) });
          return clock.now() + wait;
        }
        default:
          return seen ? await this.#giveUp(key, seen, error, performance.now() - began) : "onChange";
      }
    } finally {
      if (seen) guard?.leave(kind.name, seen);
    }
  }

  /** An object on which no pass comes to its end: it is marked, once, and rests; the others notice nothing. */
  async #giveUp(key: string, seen: KubeObject, error: unknown, millis: number): Promise<ComeBack> {
    const { kind, log } = this.#options;
    const { failures, until } = this.#quarantine.add(key, seen, millis);
    try {
      const marked = await kind.giveUp(key, { seen, error, failures });
      if (marked) this.#quarantine.wrote(key, marked);
    } catch (second) {
      log.error(`Could not mark a ${kind.name}`, { [kind.name]: key, error: String(second) });
    }
    return until;
  }
}
