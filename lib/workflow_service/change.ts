/** Workflows of a cluster that are changed: read, changed by a pure function, written on the condition that nobody else wrote. */
import type { Workflow } from "../api/mod.ts";
import { LABEL } from "../constants.ts";
import { fieldsOf } from "../fields_of.ts";
import {
  type KubeClient,
  KubeError,
  PODS,
  type Resource,
  sortError,
  WORKFLOW_TASK_RESULTS,
  WORKFLOWS,
} from "../kube/mod.ts";
import { type NodesElsewhere, wholeWhereReadable, wholeWorkflow, writableWorkflow } from "../nodes/mod.ts";
import { isCompletedPhase } from "../status/mod.ts";
import { ActionError, type Retry } from "../workflow_actions/mod.ts";
import { storedWorkflows } from "./stored_objects.ts";

/** A cluster, and the database beside it that has the nodes of its largest workflows, where it can be reached. */
export interface Cluster {
  readonly client: KubeClient;
  readonly offloaded?: NodesElsewhere | undefined;
}

/**
 * One workflow with all its nodes.
 * @throws {KubeError} when it is not there.
 */
export async function getWorkflow({ client, offloaded }: Cluster, namespace: string, name: string): Promise<Workflow> {
  return await wholeWorkflow(await storedWorkflows(client).get(namespace, name), offloaded);
}

/**
 * Changes a workflow by a pure function, again when somebody else wrote meanwhile; a function that answers the workflow it
 * was given changes nothing. Answers the workflow as it then is.
 *
 * Without `needsNodes` a workflow whose nodes cannot be had is changed as it is stored.
 * @throws {UnreadableNodesError} where they are needed and cannot be had.
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
    const workflow = await (needsNodes ? wholeWorkflow : wholeWhereReadable)(stored, elsewhere);
    const changed = await change(workflow);
    if (changed === workflow) return workflow;
    const packed = workflow === stored && !stored.status?.nodes
      ? changed
      : await writableWorkflow(changed, { stored, elsewhere });
    try {
      const written = await workflows.replace(namespace, packed);
      return packed === changed ? written : { ...written, status: changed.status };
    } catch (error) {
      if (sortError(error) !== "conflict") throw error;
    }
  }
}

/**
 * Checks that a workflow is of the version that a caller has seen, where they name one.
 * @throws {KubeError} 409 where it is another.
 */
export function checkVersion({ metadata }: Workflow, seen: string | undefined): void {
  if (seen === undefined || seen === metadata.resourceVersion) return;
  const message = `The workflow ${metadata.namespace}/${metadata.name} has changed since it was planned on: ` +
    `it has the resourceVersion ${metadata.resourceVersion}, expected ${seen}`;
  throw new KubeError(message, { status: 409, reason: "Conflict" });
}

/** Lets a workflow go on as `plan` says: what stands in its way is deleted first, because its names come back. */
export async function carryOutRetry(
  cluster: Cluster,
  namespace: string,
  name: string,
  plan: (workflow: Workflow) => Retry,
): Promise<Workflow> {
  return await changeWorkflow(cluster, namespace, name, async (workflow) => {
    const retry = plan(workflow);
    await removeInTheWay(cluster.client, namespace, name, retry);
    return retry.workflow;
  });
}

/**
 * Deletes what stands in the way of a retry: pods whose names come back, and reports of nodes that are made anew. Reports
 * stay where the caller has no right to them, as roles that were made for Argo give none: the controller believes what the
 * node's pod has sealed, and that is not of a pod before it.
 */
export async function removeInTheWay(
  client: KubeClient,
  namespace: string,
  name: string,
  { podsToDelete, workflow }: Retry,
): Promise<void> {
  await removeAll(client, namespace, PODS, podsToDelete);
  const labelSelector = `${LABEL.workflow}=${name}`;
  const kept = workflow.status?.nodes ?? {};
  try {
    const { items } = await client.list(WORKFLOW_TASK_RESULTS, namespace, { labelSelector });
    const stale = items.map(({ metadata }) => metadata.name ?? "").filter((id) => !(id in kept));
    await removeAll(client, namespace, WORKFLOW_TASK_RESULTS, stale);
  } catch (error) {
    if (sortError(error) !== "forbidden") throw error;
  }
}

/**
 * Asks a workflow to end; what is given of its metadata is written with that.
 * @throws {ActionError} when it has ended.
 */
export async function shutDown(
  client: KubeClient,
  namespace: string,
  name: string,
  shutdown: "Stop" | "Terminate",
  metadata: { readonly labels?: Readonly<Record<string, string | null>> } = {},
): Promise<void> {
  // One that cannot be read can be stopped, too.
  const { phase } = fieldsOf((await client.get(WORKFLOWS, namespace, name)).status);
  if (typeof phase === "string" && isCompletedPhase(phase)) {
    throw new ActionError(`cannot shutdown a completed workflow: workflow: "${name}", namespace: "${namespace}"`);
  }
  await client.patch(WORKFLOWS, namespace, name, { metadata, spec: { shutdown } });
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
