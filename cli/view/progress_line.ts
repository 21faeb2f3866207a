/** A last line on a terminal that tells how far something is, below the lines that stay. */
import { fitLine } from "./table.ts";
import type { World } from "../world.ts";

/** The least time between two pictures, milliseconds. */
const REDRAW_MILLIS = 100;

/** Tells progress on a terminal, and nothing elsewhere: lines that stay are written in both. */
export class ProgressLine implements Disposable {
  readonly #world: World;
  readonly #text: () => string;
  #isShown = false;
  #drawnAt = -Infinity;

  /** `text` says how far it is by now. */
  constructor(world: World, text: () => string) {
    this.#world = world;
    this.#text = text;
  }

  /** Something went on. */
  moved(): void {
    const now = this.#world.now().getTime();
    const terminal = this.#world.terminal();
    if (!terminal || now - this.#drawnAt < REDRAW_MILLIS) return;
    this.#drawnAt = now;
    this.#erase();
    this.#world.out(`${fitLine(this.#text(), terminal.columns - 1)}\n`);
    this.#isShown = true;
  }

  /** Writes a line that stays. */
  line(text: string): void {
    this.#erase();
    this.#world.out(`${text}\n`);
  }

  /** Writes a line about what went wrong. */
  error(text: string): void {
    this.#erase();
    this.#world.err(`${text}\n`);
  }

  [Symbol.dispose](): void {
    this.#erase();
  }

  #erase(): void {
    if (this.#isShown) this.#world.eraseLines(1);
    this.#isShown = false;
  }
}
