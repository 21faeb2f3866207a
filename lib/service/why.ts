/** The reasons why a workflow of a cluster waits. Reads the workflow with its pods and reports, and writes nothing. */
import { readPod, readTaskResult, type Workflow } from "@tiphys/model/api";
import { AGENT_COMPONENT, ANNOTATION, ARTIFACT_GC_COMPONENT, LABEL } from "@tiphys/base/constants";
import { deadlockOfHolder, type Evidence, explain, type Reason, waitingHolders } from "@tiphys/engine/explain";
import {
  classifyError,
  type KubeClient,
  type KubeObject,
  PODS,
  type Resource,
  WORKFLOW_TASK_RESULTS,
} from "@tiphys/kube";
import { parseHolderKey } from "@tiphys/engine/lock_table";
import { pendingPodWarnings } from "./pod_warnings.ts";
import { type Cluster, getWorkflow } from "./change.ts";

/**
 * Returns the reasons why a workflow waits. If the caller may not read pods, only reasons in the workflow's status are
 * returned.
 * @throws {KubeError} when the workflow does not exist.
 */
export async function whyWaiting(cluster: Cluster, namespace: string, name: string, now: Date): Promise<Reason[]> {
  const { client } = cluster;
  const workflow = await getWorkflow(cluster, namespace, name);
  const labelSelector = `${LABEL.workflow}=${name}`;
  const [foundPods, results, deadlocks] = await Promise.all([
    listIfReadable(client, PODS, namespace, labelSelector),
    listIfReadable(client, WORKFLOW_TASK_RESULTS, namespace, labelSelector),
    deadlocksBefore(cluster, workflow),
  ]);
  const pods = foundPods?.map(readPod);
  const withRole = (component: string) =>
    pods?.filter(({ metadata }) => metadata.labels?.[LABEL.component] === component) ?? [];
  const evidence: Evidence = {
    pods: pods && groupByNode(pods, ({ metadata }) => metadata.annotations?.[ANNOTATION.nodeId], (pod) => pod),
    podWarnings: pods && await pendingPodWarnings(client, namespace, pods),
    agent: pods && { pod: withRole(AGENT_COMPONENT)[0] },
    collectors: withRole(ARTIFACT_GC_COMPONENT),
    taskResults: results && groupByNode(results, ({ metadata }) => metadata.name, readTaskResult),
    deadlocks,
  };
  return explain(workflow, evidence, now);
}

/** Maximum number of lock holders that are checked for deadlocks. With more holders, no deadlock is reported. */
const MAX_HOLDERS = 5;

/** Returns the deadlocks of all holders that a workflow waits for, by the ID of the waiting node. */
async function deadlocksBefore(cluster: Cluster, workflow: Workflow): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, Promise<Workflow | undefined>>();
  const ringOf = async (key: string): Promise<string | undefined> => {
    const { workflow = "", nodeId = "" } = parseHolderKey(key) ?? {};
    if (!known.has(workflow) && known.size >= MAX_HOLDERS) return undefined;
    const [namespace = "", name = ""] = workflow.split("/");
    const found = known.get(workflow) ?? getIfReadable(cluster, namespace, name);
    known.set(workflow, found);
    const holder = await found;
    return holder && deadlockOfHolder(holder, nodeId);
  };
  const deadlocks = new Map<string, string>();
  for (const [nodeId, holders] of waitingHolders(workflow)) {
    if (holders.length > MAX_HOLDERS) continue;
    const [first, ...others] = await Promise.all(holders.map(ringOf));
    if (first !== undefined && others.every((ring) => ring !== undefined)) deadlocks.set(nodeId, first);
  }
  return deadlocks;
}

/** Returns a workflow; undefined when it does not exist, or the caller may not read it. */
async function getIfReadable(cluster: Cluster, namespace: string, name: string): Promise<Workflow | undefined> {
  try {
    return name === "" ? undefined : await getWorkflow(cluster, namespace, name);
  } catch (error) {
    const sort = classifyError(error);
    if (sort === "forbidden" || sort === "notFound") return undefined;
    throw error;
  }
}

async function listIfReadable(
  client: KubeClient,
  resource: Resource,
  namespace: string,
  labelSelector: string,
): Promise<readonly KubeObject[] | undefined> {
  try {
    return (await client.list(resource, namespace, { labelSelector })).items;
  } catch (error) {
    const sort = classifyError(error);
    if (sort === "forbidden" || sort === "notFound") return undefined;
    throw error;
  }
}

function groupByNode<T, R>(
  objects: readonly T[],
  nodeOf: (object: T) => string | undefined,
  read: (object: T) => R,
): ReadonlyMap<string, R> {
  return new Map(objects.flatMap((object) => {
    const id = nodeOf(object);
    return id === undefined ? [] : [[id, read(object)] as const];
  }));
}
