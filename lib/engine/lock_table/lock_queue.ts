/** The queue of a lock: waiting claims in order of precedence. */
import { byPrecedence, type Claim } from "./claim.ts";

/** Claims in order. No two of them are equal in the order. */
export class LockQueue {
  readonly #claims: Claim[] = [];

  get size(): number {
    return this.#claims.length;
  }

  [Symbol.iterator](): Iterator<Claim> {
    return this.#claims[Symbol.iterator]();
  }

  add(claim: Claim): void {
    const index = this.#indexOf(claim);
    if (this.#claims[index] !== claim) this.#claims.splice(index, 0, claim);
  }

  delete(claim: Claim): void {
    const index = this.#indexOf(claim);
    if (this.#claims[index] === claim) this.#claims.splice(index, 1);
  }

  /** Whether only claims of the same workflow precede this one, which may be overtaken. */
  isAtFront(claim: Claim): boolean {
    return this.#claims[0]?.workflow === claim.workflow;
  }

  /** Returns the number of claims before one that is in the queue. */
  countBefore(claim: Claim): number {
    return this.#indexOf(claim);
  }

  /** Returns the claim at an index. */
  at(index: number): Claim | undefined {
    return this.#claims[index];
  }

  /** Returns the index of the first claim that does not precede this one. */
  #indexOf(claim: Claim): number {
    let low = 0;
    let high = this.#claims.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (byPrecedence(this.#claims[middle]!, claim) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
