/**
 * Performs actions. There is one case per action; each may be repeated, and a refusal becomes a fact for the next
 * pass.
 */
import type { Pod, Workflow } from "@tiphys/model/api";
import { classifyError, isOwnedBy, keyOf, WORKFLOWS } from "@tiphys/kube";
import { isBug, isRetryable } from "@tiphys/kube/errors";
import { type Action, imageKey } from "@tiphys/engine";
import type { ActionOutcomes, NeedsNextPass } from "./outcomes.ts";
import { withWorkSpan } from "@tiphys/base/metrics";
import { createBudget, deleteBudget } from "./disruption_budget.ts";
import { logPod } from "./log_pod.ts";
import { createClaim, deleteClaim } from "./claims.ts";
import { createCollector, deleteGarbageTasks, readCollector } from "./collector.ts";
import { createPod } from "./create_pod.ts";
import type { ActionContext } from "./action_context.ts";
import { lookUpMemo, refreshMemo, saveMemo } from "./memos.ts";
import { readConfigMap } from "./read_config_map.ts";
import { addTasks, completeTaskSet, createAgent, removeTasks } from "./task_set.ts";
import { deletePod, releasePod } from "./release_pod.ts";
import { reportExitCodes } from "./report_exit_codes.ts";
import { reportPodWork } from "./work_of_pod.ts";

/**
 * Starts all actions of a decision without waiting: outcomes appear in the ledger or in a watch. Facts that no watch
 * shows, and actions that have to be requested again, trigger another pass.
 */
export function startActions(
  context: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  actions: readonly Action[],
): void {
  for (const action of actions) {
    const name = nameOf(workflow, action);
    const act = () =>
      context.metrics.performCounted(action.kind, name, () => performAction(context, workflow, outcomes, action));
    context.pending.begin(name, act, (millis) => {
      if (millis !== undefined) context.requeue(keyOf(workflow), millis);
    });
  }
}

/** Performs one action. Resolves to the milliseconds after which it needs another pass, if any. */
async function performAction(
  context: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  action: Action,
): Promise<number | undefined> {
  const name = nameOf(workflow, action);
  try {
    const news = await apply(context, workflow, outcomes, action);
    if (news === "later") return context.backoff.next(name);
    context.backoff.forget(name);
    return news ? 0 : undefined;
  } catch (error) {
    if (isBug(error)) {
      // A defect is not a response of the server, so no node ends with it: the next pass throws it.
      context.backoff.forget(name);
      outcomes.defect = error;
      return 0;
    }
    const passes = isRetryable(error);
    context.log.warn("An action failed", { action: action.kind, error: String(error), triedAgain: passes });
    if (passes) return context.backoff.next(name);
    context.backoff.forget(name);
    return undefined;
  }
}

/** The name of an action: two actions with the same name are the same one. */
function nameOf(workflow: Workflow, action: Action): string {
  const of = `${action.kind} ${workflow.metadata.uid}`;
  switch (action.kind) {
    case "createPod":
      return `${of} ${action.pod.metadata.name}`;
    case "deletePod":
    case "releasePod":
    case "terminateContainers":
    case "reportEnds":
    case "finishPod":
      return `${of} ${action.podName}`;
    case "createClaim":
      return `${of} ${action.claim.metadata?.name}`;
    case "deleteClaim":
      return `${of} ${action.name}`;
    case "createBudget":
    case "deleteBudget":
      return of;
    case "lookUpImage":
      return `${of} ${imageKey(action.unknown)}`;
    case "readConfigMap":
      return `${of} ${action.namespace}/${action.name}`;
    case "createCollector":
      return `${of} ${action.pod.metadata.name}`;
    case "readCollector":
    case "deleteGarbageTasks":
      return `${of} ${action.podName}`;
    case "addTasks":
      return `${of} ${Object.keys(action.tasks).join()}`;
    case "removeTasks":
      return `${of} ${action.nodeIds.join()}`;
    case "completeTaskSet":
    case "createAgent":
      return of;
    case "lookUpMemo":
    case "dropMemo":
    case "saveMemo":
      return `${of} ${action.nodeId}`;
    case "refreshMemo":
      return `${of} ${action.cache}/${action.key}`;
    case "deleteTaskResults":
    case "deleteWorkflow":
      return of;
    case "count":
    case "event":
    case "logPod":
    case "metric":
      return `${of} ${crypto.randomUUID()}`;
  }
}

/**
 * Performs one action. Resolves to true if the next pass should start at once, because of facts that no watch shows.
 */
async function apply(
  context: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  action: Action,
): Promise<NeedsNextPass> {
  switch (action.kind) {
    case "createPod":
      return await withWorkSpan(
        context.onWork,
        { name: "create_workflow_pod", workflow, nodeId: action.nodeId },
        context.clock,
        () => createPod(context, workflow, outcomes, action),
      );
    case "metric": {
      const message = context.metrics.record(workflow, action.metric);
      if (message !== undefined) context.events.record(workflow, { type: "Warning", reason: "MetricsError", message });
      return false;
    }
    case "deletePod": {
      const pod = podOf(context, workflow, action.podName, action.uid);
      if (pod) await deletePod(context.client, pod);
      return false;
    }
    case "releasePod": {
      const pod = podOf(context, workflow, action.podName);
      if (pod) context.ledger.recordPodWrite(await releasePod(context.client, pod, { completed: false }));
      return false;
    }
    case "terminateContainers": {
      const pod = podOf(context, workflow, action.podName);
      if (pod) context.terminator.terminate(pod, action);
      return false;
    }
    case "reportEnds": {
      const pod = podOf(context, workflow, action.podName);
      return pod ? await reportExitCodes(context, workflow, outcomes, pod, action) : false;
    }
    case "finishPod":
      await finishPod(context, workflow, action);
      return false;
    case "createClaim":
      return await createClaim(context, workflow, outcomes, action.claim);
    case "deleteClaim":
      return await deleteClaim(context, workflow, outcomes, action);
    case "createBudget":
      return await createBudget(context, workflow, outcomes, action.budget);
    case "deleteBudget":
      return await deleteBudget(context, workflow, outcomes);
    case "count":
      context.metrics.count(action.metric, action.labels);
      return false;
    case "logPod":
      logPod(context, workflow, action);
      return false;
    case "lookUpImage": {
      const answer = await context.images.find(workflow.metadata.namespace ?? "", action.unknown);
      outcomes.images.set(imageKey(action.unknown), answer);
      return "problem" in answer && answer.transient ? "later" : true;
    }
    case "readConfigMap":
      return await readConfigMap(context, outcomes, action);
    case "createCollector":
      return await createCollector(context, workflow, outcomes, action);
    case "readCollector":
      return await readCollector(context, workflow, outcomes, action);
    case "deleteGarbageTasks":
      return await deleteGarbageTasks(context, workflow, outcomes, action);
    case "addTasks":
      return await addTasks(context, workflow, outcomes, action);
    case "removeTasks":
      return await removeTasks(context, workflow, outcomes, action);
    case "completeTaskSet":
      return await completeTaskSet(context, workflow, outcomes);
    case "createAgent":
      return await createAgent(context, workflow, outcomes, action);
    case "lookUpMemo":
      return await lookUpMemo(context, workflow, outcomes, action);
    case "dropMemo":
      outcomes.memos.delete(action.nodeId);
      return false;
    case "refreshMemo":
      await refreshMemo(context, workflow, action);
      return false;
    case "saveMemo":
      await saveMemo(context, workflow, action);
      return false;
    case "deleteTaskResults":
      context.taskResults.delete(workflow.metadata.namespace!, workflow.metadata.name!);
      return false;
    case "deleteWorkflow": {
      const { namespace, name, uid, resourceVersion } = workflow.metadata;
      context.log.info("Deleting a finished workflow: its TTL has expired", { workflow: keyOf(workflow) });
      try {
        await context.client.delete(WORKFLOWS, namespace, name!, {
          uid,
          resourceVersion,
          propagationPolicy: action.propagation,
        });
      } catch (error) {
        if (classifyError(error) !== "notFound") throw error;
      }
      return false;
    }
    case "event":
      context.events.record(workflow, action);
      return false;
  }
}

/** The known pod; undefined if it is unknown or does not belong to this workflow. */
function podOf(context: ActionContext, workflow: Workflow, name: string, uid?: string): Pod | undefined {
  const pod = context.newestPod(`${workflow.metadata.namespace}/${name}`);
  if (!pod || !isOwnedBy(pod, "Workflow", workflow)) return undefined;
  return uid === undefined || pod.metadata.uid === uid ? pod : undefined;
}

async function finishPod(
  context: ActionContext,
  workflow: Workflow,
  action: Extract<Action, { kind: "finishPod" }>,
): Promise<void> {
  const pod = podOf(context, workflow, action.podName);
  if (!pod) return;
  if (!action.remove) {
    const answered = context.ledger.podFinishing(pod);
    try {
      context.ledger.recordPodWrite(await releasePod(context.client.inBackground(), pod, { completed: true }));
      reportPodWork(context, workflow, pod);
    } finally {
      answered();
    }
    return;
  }
  const remove = async () => {
    const now = podOf(context, workflow, action.podName, pod.metadata.uid) ?? pod;
    await deletePod(context.client, now, action.graceSeconds);
    reportPodWork(context, workflow, now);
  };
  const name = `delete ${keyOf(pod)} ${pod.metadata.uid}`;
  if (action.delaySeconds > 0) context.delayed.plan(name, action.delaySeconds * 1000, remove);
  else await remove();
}
