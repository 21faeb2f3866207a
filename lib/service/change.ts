/**
 * Changes workflows of a cluster: reads the workflow, changes it with a pure function, and writes it if it has not
 * changed since.
 */
import type { Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import {
  classifyError,
  type KubeClient,
  KubeError,
  PODS,
  type Resource,
  WORKFLOW_TASK_RESULTS,
  WORKFLOWS,
} from "@tiphys/kube";
import { type OffloadedNodes, wholeWorkflow, withNodesIfReadable, writableWorkflow } from "@tiphys/model/nodes";
import { isCompletedPhase } from "@tiphys/model/status";
import { ActionError, type Retry } from "@tiphys/engine/workflow_actions";
import { storedWorkflows } from "./stored_objects.ts";

/** A cluster, and the database with the nodes of its largest workflows, if available. */
export interface Cluster {
  readonly client: KubeClient;
  readonly offloaded?: OffloadedNodes | undefined;
}

/**
 * Returns one workflow with all its nodes.
 * @throws {KubeError} when it does not exist.
 */
export async function getWorkflow({ client, offloaded }: Cluster, namespace: string, name: string): Promise<Workflow> {
  return await wholeWorkflow(await storedWorkflows(client).get(namespace, name), offloaded);
}

/**
 * Changes a workflow with a pure function, and retries after a conflict. If the function returns its argument, nothing
 * is written. Returns the resulting workflow.
 *
 * Without `needsNodes`, a workflow whose nodes are unavailable is changed as it is stored.
 * @throws {UnreadableNodesError} when nodes are needed and unavailable.
 */
export async function changeWorkflow(
  { client, offloaded: elsewhere }: Cluster,
  namespace: string,
  name: string,
  change: (workflow: Workflow) => Workflow | Promise<Workflow>,
  { needsNodes = true }: { readonly needsNodes?: boolean } = {},
): Promise<Workflow> {
  const workflows = storedWorkflows(client);
  while (true) {
    const stored = await workflows.get(namespace, name);
    const workflow = await (needsNodes ? wholeWorkflow : withNodesIfReadable)(stored, elsewhere);
    const changed = await change(workflow);
    if (changed === workflow) return workflow;
    const packed = workflow === stored && !stored.status?.nodes
      ? changed
      : await writableWorkflow(changed, { stored, elsewhere });
    try {
      const written = await workflows.replace(namespace, packed);
      return packed === changed ? written : { ...written, status: changed.status };
    } catch (error) {
      if (classifyError(error) !== "conflict") throw error;
    }
  }
}

/**
 * Checks that a workflow has the version that the caller has read, if it names one.
 * @throws {KubeError} 409 when it has another version.
 */
export function checkVersion({ metadata }: Workflow, seen: string | undefined): void {
  if (seen === undefined || seen === metadata.resourceVersion) return;
  const message = `The workflow ${metadata.namespace}/${metadata.name} has changed since it was planned on: ` +
    `it has the resourceVersion ${metadata.resourceVersion}, expected ${seen}`;
  throw new KubeError(message, { status: 409, reason: "Conflict" });
}

/** Retries a workflow according to `plan`. Objects in its way are deleted first, because their names are used again. */
export async function performRetry(
  cluster: Cluster,
  namespace: string,
  name: string,
  plan: (workflow: Workflow) => Retry,
): Promise<Workflow> {
  return await changeWorkflow(cluster, namespace, name, async (workflow) => {
    const retry = plan(workflow);
    await deleteConflictingObjects(cluster.client, namespace, name, retry);
    return retry.workflow;
  });
}

/**
 * Deletes objects in the way of a retry: pods whose names are used again, and reports of nodes that will be recreated.
 * Reports are kept if the caller may not delete them, as with roles made for Argo: the controller accepts only reports
 * sealed by the node's own pod, not those of an earlier one.
 */
export async function deleteConflictingObjects(
  client: KubeClient,
  namespace: string,
  name: string,
  { podsToDelete, workflow }: Retry,
): Promise<void> {
  await deleteAll(client, namespace, PODS, podsToDelete);
  const labelSelector = `${LABEL.workflow}=${name}`;
  const kept = workflow.status?.nodes ?? {};
  try {
    const { items } = await client.list(WORKFLOW_TASK_RESULTS, namespace, { labelSelector });
    const stale = items.map(({ metadata }) => metadata.name ?? "").filter((id) => !(id in kept));
    await deleteAll(client, namespace, WORKFLOW_TASK_RESULTS, stale);
  } catch (error) {
    if (classifyError(error) !== "forbidden") throw error;
  }
}

/**
 * Sets the shutdown strategy of a workflow, together with the given metadata.
 * @throws {ActionError} when it is completed.
 */
export async function shutDown(
  client: KubeClient,
  namespace: string,
  name: string,
  shutdown: "Stop" | "Terminate",
  metadata: { readonly labels?: Readonly<Record<string, string | null>> } = {},
): Promise<void> {
  // A workflow that cannot be parsed can be stopped, too.
  const { phase } = fieldsOf((await client.get(WORKFLOWS, namespace, name)).status);
  refuseShutdownOfCompleted(phase, namespace, name);
  await client.patch(WORKFLOWS, namespace, name, { metadata, spec: { shutdown } });
}

/** @throws {ActionError} if a phase is that of a completed workflow. */
export function refuseShutdownOfCompleted(phase: unknown, namespace: string, name: string): void {
  if (typeof phase !== "string" || !isCompletedPhase(phase)) return;
  throw new ActionError(`cannot shutdown a completed workflow: workflow: "${name}", namespace: "${namespace}"`);
}

async function deleteAll(
  client: KubeClient,
  namespace: string,
  resource: Resource,
  names: readonly string[],
): Promise<void> {
  await Promise.all(names.map(async (name) => {
    try {
      await client.delete(resource, namespace, name, { gracePeriodSeconds: 0, propagationPolicy: "Background" });
    } catch (error) {
      if (classifyError(error) !== "notFound") throw error;
    }
  }));
}
