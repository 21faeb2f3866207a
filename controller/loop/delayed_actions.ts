/** Actions that run after a delay, each once per name. */
import { isRetryable } from "@tiphys/kube/errors";
import type { Log } from "@tiphys/base/log";
import type { Clock } from "./clock.ts";

/** The delay before an action that failed with a transient error is retried, in milliseconds. */
const RETRY_MILLIS = 10_000;

/** Pending actions. They are lost on a restart; the first pass requests them again. */
export class DelayedActions {
  readonly #clock: Clock;
  readonly #log: Log;
  /** Functions that cancel the timers, by name of the action. */
  readonly #timers = new Map<string, () => void>();
  #isClosed = false;

  constructor(options: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** Runs an action after a delay, unless an action of that name is already pending. */
  plan(name: string, millis: number, act: () => Promise<void>): void {
    if (this.#isClosed || this.#timers.has(name)) return;
    const run = () => {
      this.#timers.delete(name);
      act().catch((error) => {
        const again = isRetryable(error);
        this.#log.warn("A delayed action failed", { what: name, error: String(error), triedAgain: again });
        if (again) this.plan(name, RETRY_MILLIS, act);
      });
    };
    this.#timers.set(name, this.#clock.after(millis, run));
  }

  /** Cancels all pending actions. */
  close(): void {
    this.#isClosed = true;
    for (const takeBack of this.#timers.values()) takeBack();
    this.#timers.clear();
  }
}
