/** The engine's cache between two passes of one workflow. */
import { DueNodes } from "./due_nodes.ts";
import type { NodeTable } from "../nodes/node_table.ts";

/**
 * The cache of the engine between two passes of one workflow. It does not change results. Checks do not access it
 * directly; they cache intermediate results with `cache` of their slice.
 */
export class Memory {
  /** The table of the last pass. */
  nodes?: NodeTable;
  /** Tracks the nodes to evaluate. */
  readonly due = new DueNodes();
  readonly #caches = new Map<() => unknown, unknown>();

  /**
   * Returns the cached value for `make`, which must be the same function each time. It is called to create the initial
   * value.
   */
  cache<T>(make: () => T): T {
    if (!this.#caches.has(make)) this.#caches.set(make, make());
    return this.#caches.get(make) as T;
  }

  /** Clears the cached values. */
  clearCaches(): void {
    this.#caches.clear();
  }
}
