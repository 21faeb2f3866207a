/** Long work in a shared thread: in stages, between which the thread handles other events. */

/** Lets stages take turns: between two turns of the event loop one stage runs, and different keys alternate. */
export class Turns {
  /** Waiting stages by key, in the order in which the keys take turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isScheduled = false;

  /** Resolves after other events were handled. */
  next(key: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stages = this.#waiting.get(key);
    if (stages) stages.push(resolve);
    else this.#waiting.set(key, [resolve]);
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    // Not setImmediate: between two immediates Deno handles timers only, and no bytes of sockets or messages of
    // threads.
    setTimeout(() => {
      this.#isScheduled = false;
      const [key, stages] = this.#waiting.entries().next().value!;
      this.#waiting.delete(key);
      const start = stages.shift()!;
      if (stages.length > 0) this.#waiting.set(key, stages);
      start();
      this.#schedule();
    }, 0);
  }
}

/** The turns of this thread: it has one event loop. */
const TURNS = new Turns();

/** Resolves after this thread has handled other events, and stages of other keys. */
export function nextTurn(key: string): Promise<void> {
  return TURNS.next(key);
}

/** Work in stages: it yields at the end of each stage except the last one. */
export type Stages<T> = Generator<void, T, void>;

/** Completes work, and handles other events between its stages. Work of one stage is completed at once. */
export async function inTurns<T>(stages: Stages<T>, key: string): Promise<T> {
  for (;;) {
    const { done, value } = stages.next();
    if (done) return value;
    await nextTurn(key);
  }
}

/** Completes work in one stage. */
export function atOnce<T>(stages: Stages<T>): T {
  for (;;) {
    const { done, value } = stages.next();
    if (done) return value;
  }
}
