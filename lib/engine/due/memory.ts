/** The engine's memory between two passes of one workflow. */
import { DueNodes } from "./due_nodes.ts";
import type { NodeTable } from "../nodes/node_table.ts";

/**
 * The memory that the engine may keep between two passes of one workflow. It is a cache: without it the answers are the
 * same. No question of the engine sees it; a question may keep what it worked out with `Pass.cache`.
 */
export class Memory {
  /** The table of the last pass. */
  nodes?: NodeTable;
  /** The nodes that are to be looked at. */
  readonly due = new DueNodes();
  readonly #caches = new Map<() => unknown, unknown>();

  /**
   * The value that a question keeps for itself: made empty by `make`, the same function each time, when it is first
   * asked for.
   */
  cache<T>(make: () => T): T {
    if (!this.#caches.has(make)) this.#caches.set(make, make());
    return this.#caches.get(make) as T;
  }

  /** Forgets what the questions keep. */
  forgetCaches(): void {
    this.#caches.clear();
  }
}
