/** All claims of a table, by workflow and node. */
import type { Claim, LockAnswer } from "./claim.ts";
import { LockAnswers } from "./lock_answers.ts";

/** The claims of one workflow by node ID, and their answers. */
interface WorkflowClaims {
  readonly claims: Map<string, Claim>;
  readonly answers: LockAnswers;
}

/** Stores claims by workflow and node. */
export class Claims {
  readonly #workflows = new Map<string, WorkflowClaims>();

  get(workflow: string, nodeId: string): Claim | undefined {
    return this.#workflows.get(workflow)?.claims.get(nodeId);
  }

  /** Whether this claim is the current one of its workflow and node. */
  has(claim: Claim): boolean {
    return this.get(claim.workflow, claim.nodeId) === claim;
  }

  /** Returns the claims of a workflow by node ID; undefined when it has no claims. */
  byNode(workflow: string): ReadonlyMap<string, Claim> | undefined {
    return this.#workflows.get(workflow)?.claims;
  }

  /** Returns the answers to the claims of a workflow; undefined when it has no claims. */
  answersOf(workflow: string): LockAnswers | undefined {
    return this.#workflows.get(workflow)?.answers;
  }

  /** Returns a copy of the claims of a workflow, so that callers may delete claims while they iterate. */
  claimsOf(workflow: string): Claim[] {
    return [...this.#workflows.get(workflow)?.claims.values() ?? []];
  }

  put(claim: Claim): void {
    const { workflow, nodeId } = claim;
    let found = this.#workflows.get(workflow);
    if (!found) this.#workflows.set(workflow, found = { claims: new Map(), answers: new LockAnswers() });
    found.claims.set(nodeId, claim);
    found.answers.set(nodeId, claim.answer);
  }

  /** Sets the answer of a claim, also of one that is not stored here. */
  setAnswer(claim: Claim, answer: LockAnswer): void {
    claim.answer = answer;
    if (this.has(claim)) this.#workflows.get(claim.workflow)!.answers.set(claim.nodeId, answer);
  }

  delete({ workflow, nodeId }: Claim): void {
    const found = this.#workflows.get(workflow);
    found?.claims.delete(nodeId);
    found?.answers.delete(nodeId);
    if (found?.claims.size === 0) this.#workflows.delete(workflow);
  }

  /** Returns all workflows that have a claim. */
  workflows(): string[] {
    return [...this.#workflows.keys()];
  }

  *[Symbol.iterator](): Generator<Claim> {
    for (const { claims } of this.#workflows.values()) yield* claims.values();
  }
}
