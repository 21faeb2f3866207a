/** The answers to the claims of a workflow, and aggregates that are updated with them. */
import type { LockAnswer, LockRef } from "./claim.ts";
import { lockIdOf } from "./lock_item.ts";

/** A lock that some claims of a workflow wait for. */
export interface WaitedFor {
  readonly ref: LockRef;
  /** Number of these claims. */
  readonly claims: number;
}

/** Answers by node ID. Aggregates cost time in proportion to their result, not to the number of waiting claims. */
export class LockAnswers extends Map<string, LockAnswer> {
  #held = new Map<string, readonly LockRef[]>();
  /** Whether the nodes in `#held` are in the order of their requests. */
  #isSorted = true;
  /** The positions of the nodes in the order of their requests. */
  readonly #positions = new Map<string, number>();
  #nextPosition = 0;
  readonly #waitedFor = new Map<string, WaitedFor>();
  readonly #lost = new Map<string, string>();

  /** The held locks by node ID, in the order of the nodes' requests. */
  get held(): ReadonlyMap<string, readonly LockRef[]> {
    const positionOf = (nodeId: string) => this.#positions.get(nodeId)!;
    if (!this.#isSorted) this.#held = new Map([...this.#held].sort(([a], [b]) => positionOf(a) - positionOf(b)));
    this.#isSorted = true;
    return this.#held;
  }

  /** The locks that claims wait for, by `TYPE KEY`, unordered. */
  get waitedFor(): ReadonlyMap<string, WaitedFor> {
    return this.#waitedFor;
  }

  /** The reasons of lost locks, by node ID. */
  get lost(): ReadonlyMap<string, string> {
    return this.#lost;
  }

  override set(nodeId: string, answer: LockAnswer): this {
    this.#removeFromAggregates(nodeId);
    if (!this.#positions.has(nodeId)) this.#positions.set(nodeId, this.#nextPosition++);
    if (answer.kind === "held") this.#hold(nodeId, answer.locks);
    else if (answer.kind === "lost") this.#lost.set(nodeId, answer.message);
    else if (answer.kind === "waiting") { for (const ref of answer.locks) this.#count(ref, 1); }
    return super.set(nodeId, answer);
  }

  override delete(nodeId: string): boolean {
    this.#removeFromAggregates(nodeId);
    this.#positions.delete(nodeId);
    return super.delete(nodeId);
  }

  override clear(): void {
    this.#held.clear();
    this.#waitedFor.clear();
    this.#lost.clear();
    this.#positions.clear();
    super.clear();
  }

  #hold(nodeId: string, locks: readonly LockRef[]): void {
    this.#isSorted &&= this.#held.size === 0;
    this.#held.set(nodeId, locks);
  }

  #removeFromAggregates(nodeId: string): void {
    const answer = this.get(nodeId);
    if (answer?.kind === "waiting") { for (const ref of answer.locks) this.#count(ref, -1); }
    this.#held.delete(nodeId);
    this.#lost.delete(nodeId);
  }

  #count(ref: LockRef, by: 1 | -1): void {
    const id = lockIdOf(ref);
    const claims = (this.#waitedFor.get(id)?.claims ?? 0) + by;
    if (claims > 0) this.#waitedFor.set(id, { ref, claims });
    else this.#waitedFor.delete(id);
  }
}
