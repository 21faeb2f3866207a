import { Attention } from "./attention.ts";
import type { NodeTable } from "./node_table.ts";

/** What the engine may remember between two passes of one workflow. A cache: without it the answers are the same. */
export class Memory {
  /** The table of the last pass. */
  nodes?: NodeTable;
  /** Which nodes are to be looked at. */
  readonly attention = new Attention();
  readonly #parts = new Map<() => unknown, unknown>();

  /** What a question keeps for itself: made empty by `make`, the same function each time, when it is asked for first. */
  part<T>(make: () => T): T {
    if (!this.#parts.has(make)) this.#parts.set(make, make());
    return this.#parts.get(make) as T;
  }

  /** Forgets what the questions keep. */
  forgetParts(): void {
    this.#parts.clear();
  }
}
