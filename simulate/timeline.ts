/** Something that is due at a moment. */
interface Due {
  readonly at: number;
  readonly happen: () => void;
}

/** A clock that stands still until it is told to jump, and what is due on it. Moments are milliseconds since 1970. */
export class Timeline {
  #now: number;
  #due: Due[] = [];

  constructor(start: Date) {
    this.#now = start.getTime();
  }

  get now(): Date {
    return new Date(this.#now);
  }

  /** The moment of the next planned event, in milliseconds since 1970; undefined when none is planned. */
  get next(): number | undefined {
    return this.#due[0]?.at;
  }

  /** Lets something happen at a moment; what is due at the same one happens in the order it was planned. Never when it is Infinity. */
  plan(at: number, happen: () => void): void {
    if (at === Infinity) return;
    const later = this.#due.findIndex((one) => one.at > at);
    this.#due.splice(later < 0 ? this.#due.length : later, 0, { at, happen });
  }

  /** Jumps to a moment, never back, and lets happen what is due by then. */
  jumpTo(at: number): void {
    this.#now = Math.max(this.#now, at);
    for (let [first] = this.#due; first !== undefined && first.at <= this.#now; [first] = this.#due) {
      this.#due.shift();
      first.happen();
    }
  }
}
