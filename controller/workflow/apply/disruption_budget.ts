/** The pod disruption budget of a workflow: created for it, and deleted only if it was. */
import type { PodDisruptionBudget, Workflow } from "@tiphys/model/api";
import { classifyError, isOwnedBy, type KubeObject, POD_DISRUPTION_BUDGETS } from "@tiphys/kube";
import { isRetryable, throwBug } from "@tiphys/kube/errors";
import { budgetRefusalKey } from "@tiphys/engine";
import type { ActionContext } from "./action_context.ts";
import type { ActionOutcomes, NeedsNextPass } from "./outcomes.ts";

/** Creates a budget; an existing one of that name counts, as in Argo. A refusal becomes a fact. */
export async function createBudget(
  context: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  budget: PodDisruptionBudget,
): Promise<NeedsNextPass> {
  const id = budgetRefusalKey(workflow.metadata.name!);
  try {
    await context.client.create(POD_DISRUPTION_BUDGETS, workflow.metadata.namespace, budget);
  } catch (error) {
    throwBug(error);
    if (classifyError(error) !== "alreadyExists") {
      return outcomes.refuse(id, { message: (error as Error).message, transient: isRetryable(error) });
    }
  }
  outcomes.refusals.delete(id);
  outcomes.budget = "present";
  return true;
}

/**
 * Deletes the workflow's budget. A failure is logged and does not affect the workflow, which takes the budget with it
 * when it is deleted.
 */
export async function deleteBudget(
  { client, log }: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
): Promise<NeedsNextPass> {
  const { namespace, name = "" } = workflow.metadata;
  try {
    const budget = await client.get<KubeObject>(POD_DISRUPTION_BUDGETS, namespace, name);
    if (isOwnedBy(budget, "Workflow", workflow)) {
      await client.delete(POD_DISRUPTION_BUDGETS, namespace, name, { uid: budget.metadata.uid });
    }
  } catch (error) {
    throwBug(error);
    const sort = classifyError(error);
    if (sort === "transient") throw error;
    if (sort !== "notFound") {
      log.warn("Could not delete a pod disruption budget", { workflow: `${namespace}/${name}`, error: String(error) });
    }
  }
  outcomes.budget = "gone";
  return false;
}
