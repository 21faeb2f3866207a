/** The answers to claims, seen through a map of those. */
import type { Claim, LockAnswer } from "./claim.ts";

/** The answers of a map of claims, by node ID. */
export class AnswerView implements ReadonlyMap<string, LockAnswer> {
  readonly #claims: ReadonlyMap<string, Claim>;

  constructor(claims: ReadonlyMap<string, Claim>) {
    this.#claims = claims;
  }

  get size(): number {
    return this.#claims.size;
  }

  get(nodeId: string): LockAnswer | undefined {
    return this.#claims.get(nodeId)?.answer;
  }

  has(nodeId: string): boolean {
    return this.#claims.has(nodeId);
  }

  forEach(act: (value: LockAnswer, key: string, map: ReadonlyMap<string, LockAnswer>) => void): void {
    for (const [nodeId, { answer }] of this.#claims) act(answer, nodeId, this);
  }

  *entries(): MapIterator<[string, LockAnswer]> {
    for (const [nodeId, { answer }] of this.#claims) yield [nodeId, answer];
    return undefined;
  }

  [Symbol.iterator](): MapIterator<[string, LockAnswer]> {
    return this.entries();
  }

  keys(): MapIterator<string> {
    return this.#claims.keys();
  }

  *values(): MapIterator<LockAnswer> {
    for (const { answer } of this.#claims.values()) yield answer;
    return undefined;
  }
}
