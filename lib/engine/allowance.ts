/**
 * The allowance of a pass: how many nodes it may create, and for how long. The rest is left to the next pass, so that a
 * workflow does not block others. Nodes that cannot be stored are rejected before they are created.
 */
import { LIMITS } from "@tiphys/base/limits";

/** The limits that the administrator may set. */
export interface EngineLimits {
  /** Maximum number of nodes of a workflow. */
  readonly nodes: number;
  /** Milliseconds after which a pass creates no further nodes. */
  readonly passMillis: number;
}

/** The default limits. */
export const DEFAULT_ENGINE_LIMITS: EngineLimits = { nodes: LIMITS.nodes, passMillis: LIMITS.passMillis };

/** A workflow exceeds a limit, which ends it. The message is for its author. */
export class LimitError extends Error {
  override readonly name = "LimitError";
}

/** The number of the workflow's existing nodes, and their approximate size in bytes of JSON. */
export interface NodeTotals {
  readonly size: number;
  readonly bytes: number;
}

/** A monotonic clock, in milliseconds since an arbitrary time. */
export type MonotonicClock = () => number;

/** The allowance of one pass. */
export class Allowance {
  readonly #limits: EngineLimits;
  readonly #totals: NodeTotals;
  readonly #elapsed: MonotonicClock;
  #created = 0;
  #startedAt: number | undefined;
  #isSpent = false;

  /** `totals` is read at each check, so it must be live. */
  constructor(limits: EngineLimits, totals: NodeTotals, elapsed: MonotonicClock) {
    this.#limits = limits;
    this.#totals = totals;
    this.#elapsed = elapsed;
  }

  /** Whether calls without a node must wait for the next pass. Each pass creates at least one, to make progress. */
  get isUsedUp(): boolean {
    if (this.#isSpent || this.#created === 0) return this.#isSpent;
    // Read for each waiting node. The result is cached, as reading the clock may be expensive.
    return this.#isSpent = this.#created >= LIMITS.nodesPerPass ||
      this.#elapsed() - this.#startedAt! >= this.#limits.passMillis;
  }

  /** Counts a call that requests locks, which takes as long as creating a node. */
  countLockRequest(): void {
    this.#count();
  }

  #count(): void {
    this.#startedAt ??= this.#elapsed();
    this.#created++;
  }

  /**
   * Counts a node before it is created. `subject` names it in errors.
   * @throws {LimitError} if the workflow would have too many nodes, or more than can be stored.
   */
  countNode(subject: string, bytes: number): void {
    this.#count();
    if (this.#totals.size >= this.#limits.nodes) {
      throw new LimitError(`a workflow may have ${this.#limits.nodes} nodes: ${subject} would exceed the maximum`);
    }
    this.#checkBytes(bytes, subject);
  }

  /** @throws {LimitError} if the existing nodes cannot be stored. */
  checkExistingNodes(): void {
    this.#checkBytes(0, "its outputs");
  }

  #checkBytes(addedBytes: number, subject: string): void {
    if (this.#totals.bytes + addedBytes <= LIMITS.nodesBytes) return;
    throw new LimitError(
      `the nodes of a workflow may take ${LIMITS.nodesBytes} bytes, and with ${subject} they would take ${
        this.#totals.bytes + addedBytes
      }`,
    );
  }
}
