/** All claims of a table: by the workflow and the node that made them. */
import type { Claim, LockAnswer } from "./claim.ts";
import { LockAnswers } from "./lock_answers.ts";

/** The claims of one workflow by node ID, and their answers. */
interface OfWorkflow {
  readonly claims: Map<string, Claim>;
  readonly answers: LockAnswers;
}

/** Holds claims; each stands under its workflow and its node, once. */
export class Claims {
  readonly #workflows = new Map<string, OfWorkflow>();

  get(workflow: string, nodeId: string): Claim | undefined {
    return this.#workflows.get(workflow)?.claims.get(nodeId);
  }

  /** Whether it is this very claim that stands under its workflow and node. */
  has(claim: Claim): boolean {
    return this.get(claim.workflow, claim.nodeId) === claim;
  }

  /** The claims of a workflow by node ID; undefined where it has none. */
  byNode(workflow: string): ReadonlyMap<string, Claim> | undefined {
    return this.#workflows.get(workflow)?.claims;
  }

  /** The answers to the claims of a workflow; undefined where it has none. */
  answersOf(workflow: string): LockAnswers | undefined {
    return this.#workflows.get(workflow)?.answers;
  }

  /** The claims of a workflow as they are now: who walks through them may delete them. */
  of(workflow: string): Claim[] {
    return [...this.#workflows.get(workflow)?.claims.values() ?? []];
  }

  put(claim: Claim): void {
    const { workflow, nodeId } = claim;
    let found = this.#workflows.get(workflow);
    if (!found) this.#workflows.set(workflow, found = { claims: new Map(), answers: new LockAnswers() });
    found.claims.set(nodeId, claim);
    found.answers.set(nodeId, claim.answer);
  }

  /** Answers a claim anew; one that is not among these, too. */
  answer(claim: Claim, answer: LockAnswer): void {
    claim.answer = answer;
    if (this.has(claim)) this.#workflows.get(claim.workflow)!.answers.set(claim.nodeId, answer);
  }

  delete({ workflow, nodeId }: Claim): void {
    const found = this.#workflows.get(workflow);
    found?.claims.delete(nodeId);
    found?.answers.delete(nodeId);
    if (found?.claims.size === 0) this.#workflows.delete(workflow);
  }

  /** All workflows that have a claim. */
  workflows(): string[] {
    return [...this.#workflows.keys()];
  }

  *[Symbol.iterator](): Generator<Claim> {
    for (const { claims } of this.#workflows.values()) yield* claims.values();
  }
}
