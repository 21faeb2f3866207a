/** The task set of a workflow: the agent's tasks and their results. */
import type { Workflow } from "@tiphys/model/api";
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { classifyError, isOwnedBy, type KubeClient, type KubeObject, WORKFLOW_TASK_SETS } from "@tiphys/kube";
import { isRetryable, throwBug } from "@tiphys/kube/errors";
import type { Action } from "@tiphys/engine";
import { AGENT_KEY } from "@tiphys/engine/agent";
import type { ActionContext } from "./action_context.ts";
import { createPod } from "./create_pod.ts";
import type { ActionOutcomes, NeedsNextPass } from "./outcomes.ts";

type Of<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }>;

/** Adds tasks to the task set, which is created if it does not exist. A refusal becomes a fact. */
export async function addTasks(
  { client }: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  { tasks, instanceId }: Of<"addTasks">,
): Promise<NeedsNextPass> {
  const { namespace, name, uid } = workflow.metadata;
  const labels = { [LABEL.completed]: "false", ...(instanceId && { [LABEL.instanceId]: instanceId }) };
  const made = {
    apiVersion: API_VERSION,
    kind: "WorkflowTaskSet",
    metadata: { name, labels, ownerReferences: [{ apiVersion: API_VERSION, kind: "Workflow", name, uid }] },
    spec: { tasks },
  };
  try {
    outcomes.taskSet = outcomes.taskSet
      ? await patch(outcomes.taskSet)
      : await client.create<KubeObject>(WORKFLOW_TASK_SETS, namespace, made);
    outcomes.refusals.delete(AGENT_KEY);
    return false;
  } catch (error) {
    throwBug(error);
    switch (classifyError(error)) {
      case "alreadyExists":
        return await adoptOrDeleteExisting();
      case "notFound":
        outcomes.taskSet = undefined;
        return true;
      default:
        return outcomes.refuse(AGENT_KEY, { message: (error as Error).message, transient: isRetryable(error) });
    }
  }

  function patch(current: KubeObject): Promise<KubeObject> {
    const change = { metadata: { uid: current.metadata.uid, labels }, spec: { tasks } };
    return client.patch(WORKFLOW_TASK_SETS, namespace, name!, change);
  }

  /** Continues with an existing task set of this workflow; deletes one of an earlier workflow of this name. */
  async function adoptOrDeleteExisting(): Promise<NeedsNextPass> {
    const existing = await client.get<KubeObject>(WORKFLOW_TASK_SETS, namespace, name!);
    if (isOwnedBy(existing, "Workflow", workflow)) {
      outcomes.taskSet = await patch(existing);
      return false;
    }
    if (existing.metadata.ownerReferences?.some(({ kind }) => kind === "Workflow")) {
      await client.delete(WORKFLOW_TASK_SETS, namespace, name!, { uid: existing.metadata.uid });
      return "later";
    }
    const message = `workflowtasksets "${name}" already exists and does not belong to this workflow`;
    return outcomes.refuse(AGENT_KEY, { message, transient: false });
  }
}

/** Removes tasks, then their results: an agent that sees only the first change finds no new task. */
export async function removeTasks(
  { client }: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  { nodeIds }: Of<"removeTasks">,
): Promise<false> {
  const { namespace, name } = workflow.metadata;
  const gone = Object.fromEntries(nodeIds.map((id) => [id, null]));
  try {
    outcomes.taskSet = await client.patch<KubeObject>(WORKFLOW_TASK_SETS, namespace, name!, { spec: { tasks: gone } });
    await removeResults(client, outcomes, { metadata: { namespace, name } }, gone);
  } catch (error) {
    if (classifyError(error) !== "notFound") throw error;
    outcomes.taskSet = undefined;
  }
  return false;
}

/**
 * Removes results from a task set: those of some nodes, or all (`null`). With a `resourceVersion`, nothing is removed
 * from a task set that changed since: a retry may have begun to use it again.
 */
async function removeResults(
  client: KubeClient,
  outcomes: ActionOutcomes,
  { metadata: { namespace, name, resourceVersion } }: KubeObject,
  nodes: Readonly<Record<string, null>> | null,
): Promise<void> {
  try {
    const change = { metadata: { resourceVersion }, status: { nodes } };
    outcomes.taskSet = await client.patch(WORKFLOW_TASK_SETS, namespace, name!, change, "merge", {
      subresource: "status",
    });
  } catch (error) {
    // Argo's roles do not allow this request: the results stay, and it is not retried forever.
    const sort = classifyError(error);
    if (sort !== "forbidden" && (sort !== "conflict" || nodes !== null)) throw error;
  }
}

/** Labels the task set as completed and empties it: it stays as long as its workflow. */
export async function completeTaskSet(
  { client }: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
): Promise<false> {
  const { namespace, name } = workflow.metadata;
  try {
    const change = { metadata: { labels: { [LABEL.completed]: "true" } }, spec: { tasks: null } };
    const emptied = outcomes.taskSet = await client.patch<KubeObject>(WORKFLOW_TASK_SETS, namespace, name!, change);
    await removeResults(client, outcomes, emptied, null);
    // A retry of the workflow starts from scratch.
    outcomes.createdPods = 0;
    outcomes.refusals.delete(AGENT_KEY);
  } catch (error) {
    if (classifyError(error) !== "notFound") throw error;
  }
  return false;
}

/** Creates the pod of the agent; refusals of the API server are recorded as for the pod of a node. */
export async function createAgent(
  context: ActionContext,
  workflow: Workflow,
  outcomes: ActionOutcomes,
  { pod }: Of<"createAgent">,
): Promise<NeedsNextPass> {
  const news = await createPod(context, workflow, outcomes, { kind: "createPod", nodeId: AGENT_KEY, pod });
  if (!outcomes.refusals.has(AGENT_KEY)) outcomes.createdPods++;
  return news;
}
