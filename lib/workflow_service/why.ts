/** The reasons why a workflow of a cluster waits: it is read with its pods and reports, and nothing is written. */
import { readPod, readTaskResult } from "../api/mod.ts";
import { ANNOTATION, LABEL } from "../constants.ts";
import { type Evidence, explain, type Reason } from "../explain/mod.ts";
import {
  type KubeClient,
  type KubeObject,
  PODS,
  type Resource,
  sortError,
  WORKFLOW_TASK_RESULTS,
} from "../kube/mod.ts";
import { type Cluster, getWorkflow } from "./change.ts";

/**
 * The reasons for which a workflow waits. Who may not see pods is told what the workflow says itself.
 * @throws {KubeError} when the workflow is not there.
 */
export async function whyWaiting(cluster: Cluster, namespace: string, name: string, now: Date): Promise<Reason[]> {
  const { client } = cluster;
  const workflow = await getWorkflow(cluster, namespace, name);
  const labelSelector = `${LABEL.workflow}=${name}`;
  const [foundPods, results] = await Promise.all([
    listOrNothing(client, PODS, namespace, labelSelector),
    listOrNothing(client, WORKFLOW_TASK_RESULTS, namespace, labelSelector),
  ]);
  const pods = foundPods?.map(readPod);
  const evidence: Evidence = {
    pods: pods && byNode(pods, ({ metadata }) => metadata.annotations?.[ANNOTATION.nodeId], (pod) => pod),
    agent: pods && { pod: pods.find(({ metadata }) => metadata.labels?.[LABEL.component] === AGENT) },
    taskResults: results && byNode(results, ({ metadata }) => metadata.name, readTaskResult),
  };
  return explain(workflow, evidence, now);
}

/** The component that an agent's pod is, by its label. */
const AGENT = "agent";

async function listOrNothing(
  client: KubeClient,
  resource: Resource,
  namespace: string,
  labelSelector: string,
): Promise<readonly KubeObject[] | undefined> {
  try {
    return (await client.list(resource, namespace, { labelSelector })).items;
  } catch (error) {
    const sort = sortError(error);
    if (sort === "forbidden" || sort === "notFound") return undefined;
    throw error;
  }
}

function byNode<T, R>(
  objects: readonly T[],
  nodeOf: (object: T) => string | undefined,
  read: (object: T) => R,
): ReadonlyMap<string, R> {
  return new Map(objects.flatMap((object) => {
    const id = nodeOf(object);
    return id === undefined ? [] : [[id, read(object)] as const];
  }));
}
