/** Actions that are to be done later, each once by its name. */
import { mayPass } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import type { Clock } from "./clock.ts";

/** The pause before an action that failed and may succeed is tried again, in milliseconds. */
const AGAIN_MILLIS = 10_000;

/** Actions that wait for their time; a restart forgets them, and the first pass asks for them again. */
export class DelayedActions {
  readonly #clock: Clock;
  readonly #log: Log;
  /** Functions that take back the timers, by the name of the action. */
  readonly #timers = new Map<string, () => void>();
  #isClosed = false;

  constructor(options: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** Does it in so many milliseconds, unless something of that name waits already. */
  plan(name: string, millis: number, act: () => Promise<void>): void {
    if (this.#isClosed || this.#timers.has(name)) return;
    const run = () => {
      this.#timers.delete(name);
      act().catch((error) => {
        const again = mayPass(error);
        this.#log.warn("A delayed action failed", { what: name, error: String(error), triedAgain: again });
        if (again) this.plan(name, AGAIN_MILLIS, act);
      });
    };
    this.#timers.set(name, this.#clock.after(millis, run));
  }

  /** Takes back all that waits. */
  close(): void {
    this.#isClosed = true;
    for (const takeBack of this.#timers.values()) takeBack();
    this.#timers.clear();
  }
}
