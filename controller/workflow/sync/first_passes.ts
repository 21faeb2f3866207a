/**
 * The first passes after a start: no lock is granted before all workflows that may have been waiting have had a pass,
 * so that later ones do not overtake them.
 */
import type { Clock } from "../../loop/clock.ts";

/** The maximum time to wait for the first passes, in milliseconds: a pass over a workflow may be impossible. */
const TIMEOUT_MILLIS = 10_000;

/** The workflows whose first pass is awaited. `onFinished` is called after all of them, or after the time limit. */
export class FirstPasses {
  readonly #awaited: Set<string>;
  readonly #onFinished: () => void;
  readonly #stop: () => void;
  #isOver = false;

  constructor(keys: Iterable<string>, clock: Clock, onOver: () => void) {
    this.#awaited = new Set(keys);
    this.#onFinished = onOver;
    this.#stop = clock.after(TIMEOUT_MILLIS, () => this.#end());
    if (this.#awaited.size === 0) this.#end();
  }

  /** Records that a pass over a workflow has ended, or that it was deleted. */
  passEnded(key: string): void {
    if (this.#awaited.delete(key) && this.#awaited.size === 0) this.#end();
  }

  close(): void {
    this.#stop();
    this.#isOver = true;
  }

  #end(): void {
    if (this.#isOver) return;
    this.close();
    this.#awaited.clear();
    this.#onFinished();
  }
}
