/** The pod disruption budget of a workflow: made before its first pod, gone after its end. */
import type { PodDisruptionBudget } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { isCompletedPhase } from "@tiphys/model/status";
import { UserError } from "@tiphys/base/user_error";
import { ownerOf } from "./owner.ts";
import type { RequestsDraft, Slice } from "../slice.ts";

/**
 * Asks for the budget where it is not known to be there, however long the workflow waited before it ran.
 * @returns whether pods may be made now.
 * @throws {UserError} when it cannot be made.
 */
export function createBudget(pass: Slice<RequestsDraft>): boolean {
  const spec = pass.draft.spec.podDisruptionBudget;
  if (!spec || pass.facts.budget === "present") return true;
  const refusal = pass.facts.refusals.get(budgetRefusal(pass.name));
  if (refusal && !refusal.transient) throw new UserError(refusal.message);
  if (refusal) pass.comeBackAt(pass.facts.now.getTime() + 1000);
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
  pass.draft.ask({ kind: "createBudget", budget });
  return false;
}

/** Asks for the end of the budget of a workflow that is over; its pods are moved by nobody any more. */
export function deleteBudget(pass: Slice<RequestsDraft>): void {
  const { settledSpec, workflow: { spec, status } } = pass.draft;
  // A workflow that may not run has no settled spec: the stored one, or its own, says whether it has a budget.
  const { podDisruptionBudget } = settledSpec ?? status?.storedWorkflowTemplateSpec ?? spec;
  if (!podDisruptionBudget || pass.facts.budget === "gone") return;
  if (isCompletedPhase(pass.draft.workflow.status?.phase)) pass.draft.ask({ kind: "deleteBudget", name: pass.name });
}

/** The key under which the API server's refusal to make a budget is noted: no node and no claim has such a name. */
export function budgetRefusal(name: string): string {
  return `budget/${name}`;
}
