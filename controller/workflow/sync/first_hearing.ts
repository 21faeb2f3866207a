/**
 * The first hearing: after a start no lock is granted before all workflows that may have waited have had a pass, so that
 * none that came later goes first.
 */
import type { Clock } from "../../loop/clock.ts";

/** The longest wait for a workflow to be heard, milliseconds: perhaps no pass can be made over it. */
const LONGEST_MILLIS = 10_000;

/** The workflows that are waited for; `onOver` is called when all were heard, or the wait is over. */
export class FirstHearing {
  readonly #awaited: Set<string>;
  readonly #onOver: () => void;
  readonly #stop: () => void;
  #isOver = false;

  constructor(keys: Iterable<string>, clock: Clock, onOver: () => void) {
    this.#awaited = new Set(keys);
    this.#onOver = onOver;
    this.#stop = clock.after(LONGEST_MILLIS, () => this.#end());
    if (this.#awaited.size === 0) this.#end();
  }

  /** A pass over a workflow has ended, or it is gone. */
  heard(key: string): void {
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
    this.#onOver();
  }
}
