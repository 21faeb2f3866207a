/** A progress line at the end of a terminal's output. */
import { fitLine } from "./table.ts";
import type { World } from "../world.ts";

/** Minimum time between redraws, in milliseconds. */
const REDRAW_MILLIS = 100;

/** Shows progress on a terminal. Other output only gets the permanent lines. */
export class ProgressLine implements Disposable {
  readonly #world: World;
  readonly #text: () => string;
  #isShown = false;
  #drawnAt = -Infinity;

  /** @param text returns the current progress. */
  constructor(world: World, text: () => string) {
    this.#world = world;
    this.#text = text;
  }

  /** Redraws the line after progress, unless it was redrawn recently. */
  redraw(): void {
    const now = this.#world.now().getTime();
    const terminal = this.#world.terminal();
    if (!terminal || now - this.#drawnAt < REDRAW_MILLIS) return;
    this.#drawnAt = now;
    this.#erase();
    this.#world.out(`${fitLine(this.#text(), terminal.columns - 1)}\n`);
    this.#isShown = true;
  }

  /** Writes a permanent line. */
  line(text: string): void {
    this.#erase();
    this.#world.out(`${text}\n`);
  }

  /** Writes a permanent line to the standard error. */
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
