/** The pod disruption budget of a workflow: created before its first pod, deleted after its end. */
import type { PodDisruptionBudget } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { isCompletedPhase } from "@tiphys/model/status";
import { UserError } from "@tiphys/base/user_error";
import { ownerOf } from "./owner.ts";
import type { RequestsDraft, Slice } from "../slice.ts";

/**
 * Requests the budget unless it is known to exist, however long the workflow waited before it ran.
 * @returns whether pods may be created now.
 * @throws {UserError} if it cannot be created.
 */
export function createBudget(pass: Slice<RequestsDraft>): boolean {
  const spec = pass.draft.spec.podDisruptionBudget;
  if (!spec || pass.facts.budget === "present") return true;
  const refusal = pass.facts.refusals.get(budgetRefusalKey(pass.name));
  if (refusal && !refusal.transient) throw new UserError(refusal.message);
  if (refusal) pass.requestPassAt(pass.facts.now.getTime() + 1000);
  const labels = { [LABEL.workflow]: pass.name };
  const budget: PodDisruptionBudget = {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: {
      name: pass.name,
      namespace: pass.draft.workflow.metadata.namespace,
      labels,
      ownerReferences: [ownerOf(pass.draft.workflow)],
    },
    spec: { ...spec, selector: spec.selector ?? { matchLabels: labels } },
  };
  pass.draft.request({ kind: "createBudget", budget });
  return false;
}

/** Requests deletion of the budget of a completed workflow: it has no pods left to protect. */
export function deleteBudget(pass: Slice<RequestsDraft>): void {
  const { specIfSet, workflow: { spec, status } } = pass.draft;
  // A workflow that may not run has no settled spec: its stored spec or its own determines whether it has a budget.
  const { podDisruptionBudget } = specIfSet ?? status?.storedWorkflowTemplateSpec ?? spec;
  if (!podDisruptionBudget || pass.facts.budget === "gone") return;
  if (isCompletedPhase(pass.draft.workflow.status?.phase)) {
    pass.draft.request({ kind: "deleteBudget", name: pass.name });
  }
}

/**
 * The key of the API server's refusal to create a budget. The slash keeps it apart from the names of nodes and claims.
 */
export function budgetRefusalKey(name: string): string {
  return `budget/${name}`;
}
