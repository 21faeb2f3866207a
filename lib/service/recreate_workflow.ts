/** Creates a workflow under a name that an earlier workflow has. */
import type { Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { classifyError, type KubeClient, PODS, WORKFLOWS } from "@tiphys/kube";
import { ActionError } from "@tiphys/engine/workflow_actions";
import { storedWorkflows } from "./stored_objects.ts";

/** Error for a name that belongs to a workflow that has not finished. */
export class NameInUseError extends ActionError {
  override name = "NameInUseError";
}

/**
 * Creates a workflow. A finished workflow with the same name is deleted first.
 * @throws {NameInUseError} when a workflow with this name is still running.
 */
export async function recreateWorkflow(client: KubeClient, namespace: string, workflow: Workflow): Promise<Workflow> {
  const workflows = storedWorkflows(client);
  try {
    return await workflows.create(namespace, workflow);
  } catch (error) {
    if (classifyError(error) !== "alreadyExists") throw error;
    const name = workflow.metadata.name ?? "";
    const earlier = await workflows.get(namespace, name);
    if (!earlier.status?.finishedAt) throw new NameInUseError(`Workflow "${name}" exists and has not finished`);
    await removeWithPods(client, namespace, name);
    return await workflows.create(namespace, workflow);
  }
}

/** Deletes a workflow and its pods, whose names the new workflow uses again. Resolves when they are gone. */
async function removeWithPods(client: KubeClient, namespace: string, name: string): Promise<void> {
  const ofWorkflow = { labelSelector: `${LABEL.workflow}=${name}` };
  await client.delete(WORKFLOWS, namespace, name, { propagationPolicy: "Background" });
  await client.deleteCollection(PODS, namespace, ofWorkflow, { gracePeriodSeconds: 0 });
  const { items, metadata: { resourceVersion } } = await client.list(PODS, namespace, ofWorkflow);
  const left = new Set(items.map(({ metadata }) => metadata.name));
  if (left.size === 0) return;
  for await (const { type, object } of client.watch(PODS, namespace, { ...ofWorkflow, resourceVersion })) {
    if (type === "DELETED") left.delete(object.metadata.name);
    if (left.size === 0) return;
  }
}
