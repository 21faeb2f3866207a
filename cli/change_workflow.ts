/** Workflows that a person changes. */
import type { Workflow } from "../lib/api/mod.ts";
import { LABEL } from "../lib/constants.ts";
import { type KubeClient, PODS, type Resource, sortError, WORKFLOW_TASK_RESULTS, WORKFLOWS } from "../lib/kube/mod.ts";
import type { Retry } from "../lib/workflow_actions/mod.ts";
import { CommandError } from "./command_error.ts";
import { hydrate } from "../lib/nodes/mod.ts";

/** One workflow with all its nodes. Throws KubeError when it is not there. */
export async function getWorkflow(client: KubeClient, namespace: string, name: string): Promise<Workflow> {
  return await hydrate(await client.get<Workflow>(WORKFLOWS, namespace, name));
}

/**
 * Changes a workflow by a pure function, again when somebody else wrote meanwhile; a function that answers the workflow it
 * was given changes nothing. Answers the workflow as it then is.
 */
export async function changeWorkflow(
  client: KubeClient,
  namespace: string,
  name: string,
  change: (workflow: Workflow) => Workflow | Promise<Workflow>,
): Promise<Workflow> {
  while (true) {
    const workflow = await getWorkflow(client, namespace, name);
    const changed = await change(workflow);
    if (changed === workflow) return workflow;
    try {
      return await client.replace<Workflow>(WORKFLOWS, namespace, changed);
    } catch (error) {
      if (sortError(error) !== "conflict") throw error;
    }
  }
}

/** Lets a workflow go on as `plan` says: what stands in its way is deleted first, because its names come back. */
export async function carryOutRetry(
  client: KubeClient,
  namespace: string,
  name: string,
  plan: (workflow: Workflow) => Retry,
): Promise<Workflow> {
  return await changeWorkflow(client, namespace, name, async (workflow) => {
    const retry = plan(workflow);
    await removeAll(client, namespace, PODS, retry.podsToDelete);
    const labelSelector = `${LABEL.workflow}=${name}`;
    const { items } = await client.list(WORKFLOW_TASK_RESULTS, namespace, { labelSelector });
    const kept = retry.workflow.status?.nodes ?? {};
    const stale = items.map(({ metadata }) => metadata.name ?? "").filter((id) => !(id in kept));
    await removeAll(client, namespace, WORKFLOW_TASK_RESULTS, stale);
    return retry.workflow;
  });
}

/**
 * Asks a workflow to end.
 * @throws {CommandError} when it has ended.
 */
export async function shutDown(
  client: KubeClient,
  namespace: string,
  name: string,
  shutdown: "Stop" | "Terminate",
): Promise<void> {
  const { status } = await client.get<Workflow>(WORKFLOWS, namespace, name);
  if (["Succeeded", "Failed", "Error"].includes(status?.phase ?? "")) {
    throw new CommandError(
      `cannot shutdown a completed workflow: workflow: "${name}", namespace: "${namespace}"`,
    );
  }
  await client.patch(WORKFLOWS, namespace, name, { spec: { shutdown } });
}

async function removeAll(
  client: KubeClient,
  namespace: string,
  resource: Resource,
  names: readonly string[],
): Promise<void> {
  await Promise.all(names.map(async (name) => {
    try {
      await client.delete(resource, namespace, name, { gracePeriodSeconds: 0, propagationPolicy: "Background" });
    } catch (error) {
      if (sortError(error) !== "notFound") throw error;
    }
  }));
}
