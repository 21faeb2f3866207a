/** An event planned for a time. */
interface PlannedEvent {
  readonly at: number;
  readonly happen: () => void;
}

/**
 * A clock that only moves when `jumpTo` is called, and the events planned on it. Times are in milliseconds since the
 * epoch.
 */
export class Timeline {
  #now: number;
  #due: PlannedEvent[] = [];

  constructor(start: Date) {
    this.#now = start.getTime();
  }

  get now(): Date {
    return new Date(this.#now);
  }

  /** The time of the next planned event; undefined if none is planned. */
  get next(): number | undefined {
    return this.#due[0]?.at;
  }

  /**
   * Plans an event. Events at the same time happen in the order in which they were planned. An event at Infinity never
   * happens.
   */
  plan(time: number, happen: () => void): void {
    if (time === Infinity) return;
    const later = this.#due.findIndex((plannedEvent) => plannedEvent.at > time);
    this.#due.splice(later < 0 ? this.#due.length : later, 0, { at: time, happen });
  }

  /** Jumps forward to a time, never back, and runs the events that are due by then. */
  jumpTo(time: number): void {
    this.#now = Math.max(this.#now, time);
    for (let [first] = this.#due; first !== undefined && first.at <= this.#now; [first] = this.#due) {
      this.#due.shift();
      first.happen();
    }
  }
}
