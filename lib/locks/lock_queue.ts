/** The queue of a lock: who waits, in the order of precedence. */
import { byPrecedence, type Claim } from "./claim.ts";

/** Claims in their order; no two of them are equal in it. */
export class LockQueue {
  readonly #claims: Claim[] = [];

  get size(): number {
    return this.#claims.length;
  }

  [Symbol.iterator](): Iterator<Claim> {
    return this.#claims[Symbol.iterator]();
  }

  add(claim: Claim): void {
    const place = this.#placeOf(claim);
    if (this.#claims[place] !== claim) this.#claims.splice(place, 0, claim);
  }

  delete(claim: Claim): void {
    const place = this.#placeOf(claim);
    if (this.#claims[place] === claim) this.#claims.splice(place, 1);
  }

  /** Whether only claims of the same workflow stand before this one: those may be overtaken. */
  isAtFront(claim: Claim): boolean {
    return this.#claims[0]?.workflow === claim.workflow;
  }

  /** The number of claims before one that is in the queue. */
  countBefore(claim: Claim): number {
    return this.#placeOf(claim);
  }

  /** The claim at a place. */
  at(place: number): Claim | undefined {
    return this.#claims[place];
  }

  /** The index of the first that does not come before a claim. */
  #placeOf(claim: Claim): number {
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
