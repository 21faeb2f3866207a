/** Fails the connections of stalled servers, with one timer for all of them. */
import type { Clock } from "../clock/clock.ts";
import { NetError } from "./net.ts";
import type { Wire } from "./wire.ts";

/** Watches connections that have a request in progress. */
export class Watchdog {
  readonly #wires = new Set<Wire>();
  #cancelTimer: (() => void) | undefined;

  /** `millis`: the stall timeout. */
  constructor(readonly clock: Clock, readonly millis: number) {}

  watch(wire: Wire): void {
    this.#wires.add(wire);
    this.#cancelTimer ??= this.clock.after(this.millis, () => this.#check());
  }

  forget(wire: Wire): void {
    this.#wires.delete(wire);
    if (this.#wires.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #check(): void {
    this.#cancelTimer = undefined;
    const now = this.clock.now();
    let next = this.millis;
    for (const wire of this.#wires) {
      const left = (wire.waitingSince ?? now) + this.millis - now;
      if (left > 0) next = Math.min(next, left);
      else {
        this.#wires.delete(wire);
        wire.fail(new NetError(`${wire.server} stalled: ${wire.missingProgress} ${this.millis / 1000} s`, true));
      }
    }
    if (this.#wires.size > 0) this.#cancelTimer = this.clock.after(next, () => this.#check());
  }
}
