/**
 * The allowance of a pass: how much it may make. A pass that has made many nodes, or has taken its time, leaves the
 * others to the next one, so that no workflow keeps the others waiting. What can never be stored is refused before it
 * is made.
 */
import { LIMITS } from "@tiphys/base/limits";

/** The limits that the administrator may set. */
export interface EngineLimits {
  /** Nodes that a workflow may have. */
  readonly nodes: number;
  /** Milliseconds in which a pass makes nodes. */
  readonly passMillis: number;
}

/** The usual limits. */
export const USUAL_LIMITS: EngineLimits = { nodes: LIMITS.nodes, passMillis: LIMITS.passMillis };

/** A workflow wants more than it may have: it ends. The message is for its author. */
export class LimitError extends Error {
  override readonly name = "LimitError";
}

/** The nodes that the workflow has already: their number, and their approximate size in bytes of JSON. */
export interface Held {
  readonly size: number;
  readonly bytes: number;
}

/** Milliseconds since some moment, by a clock that never goes back. */
export type Elapsed = () => number;

/** The allowance of one pass. */
export class Allowance {
  readonly #limits: EngineLimits;
  readonly #held: Held;
  readonly #elapsed: Elapsed;
  #made = 0;
  #since: number | undefined;
  #isSpent = false;

  /** `held`: the nodes of the workflow, as they are at any moment. */
  constructor(limits: EngineLimits, held: Held, elapsed: Elapsed) {
    this.#limits = limits;
    this.#held = held;
    this.#elapsed = elapsed;
  }

  /** Whether what has no node yet must wait for the next pass. Something is always made, or nothing would ever be. */
  get isSpent(): boolean {
    if (this.#isSpent || this.#made === 0) return this.#isSpent;
    // Asked for each node that waits: once is enough, the clock may be expensive.
    return this.#isSpent = this.#made >= LIMITS.nodesPerPass ||
      this.#elapsed() - this.#since! >= this.#limits.passMillis;
  }

  /** Counts a call that asks for locks: it takes the pass as long as one that is made. */
  takeAsk(): void {
    this.#count();
  }

  #count(): void {
    this.#since ??= this.#elapsed();
    this.#made++;
  }

  /**
   * Counts a node before it is made; `place` says which.
   * @throws {LimitError} when the workflow would have too many, or more than can be stored.
   */
  takeNode(place: string, bytes: number): void {
    this.#count();
    if (this.#held.size >= this.#limits.nodes) {
      throw new LimitError(`a workflow may have ${this.#limits.nodes} nodes, and ${place} would be one more`);
    }
    this.#checkBytes(bytes, place);
  }

  /** @throws {LimitError} when what is there already cannot be stored. */
  checkHeld(): void {
    this.#checkBytes(0, "its outputs");
  }

  #checkBytes(more: number, place: string): void {
    if (this.#held.bytes + more <= LIMITS.nodesBytes) return;
    throw new LimitError(
      `the nodes of a workflow may take ${LIMITS.nodesBytes} bytes, and with ${place} they would take ${
        this.#held.bytes + more
      }`,
    );
  }
}
