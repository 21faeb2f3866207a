/** All claims of a table: by the workflow and the node that made them. */
import type { Claim } from "./claim.ts";

/** Holds claims; each stands under its workflow and its node, once. */
export class Claims {
  readonly #workflows = new Map<string, Map<string, Claim>>();

  get(workflow: string, nodeId: string): Claim | undefined {
    return this.#workflows.get(workflow)?.get(nodeId);
  }

  /** Whether it is this very claim that stands under its workflow and node. */
  has(claim: Claim): boolean {
    return this.get(claim.workflow, claim.nodeId) === claim;
  }

  /** The claims of a workflow by node ID; undefined where it has none. */
  byNode(workflow: string): ReadonlyMap<string, Claim> | undefined {
    return this.#workflows.get(workflow);
  }

  /** The claims of a workflow as they are now: who walks through them may delete them. */
  of(workflow: string): Claim[] {
    return [...this.#workflows.get(workflow)?.values() ?? []];
  }

  put(claim: Claim): void {
    const claims = this.#workflows.get(claim.workflow);
    if (claims) claims.set(claim.nodeId, claim);
    else this.#workflows.set(claim.workflow, new Map([[claim.nodeId, claim]]));
  }

  delete({ workflow, nodeId }: Claim): void {
    const claims = this.#workflows.get(workflow);
    claims?.delete(nodeId);
    if (claims?.size === 0) this.#workflows.delete(workflow);
  }

  /** All workflows that have a claim. */
  workflows(): string[] {
    return [...this.#workflows.keys()];
  }

  *[Symbol.iterator](): Generator<Claim> {
    for (const claims of this.#workflows.values()) yield* claims.values();
  }
}
