/** The reasons why a workflow of a cluster waits: it is read with its pods and reports, and nothing is written. */
import { isProblem, type Pod, type WorkflowTaskResult } from "../api/mod.ts";
import { ANNOTATION, LABEL } from "../constants.ts";
import { type Evidence, explain, type Reason } from "../explain/mod.ts";
import { type KubeClient, PODS, type Resource, sortError, WORKFLOW_TASK_RESULTS } from "../kube/mod.ts";
import { type Cluster, getWorkflow } from "./change.ts";

/**
 * The reasons for which a workflow waits. Who may not see pods is told what the workflow says itself.
 * @throws {KubeError} when the workflow is not there.
 */
export async function whyWaiting(cluster: Cluster, namespace: string, name: string, now: Date): Promise<Reason[]> {
  const { client } = cluster;
  const workflow = await getWorkflow(cluster, namespace, name);
  const labelSelector = `${LABEL.workflow}=${name}`;
  const [pods, results] = await Promise.all([
    listOrNothing<Pod>(client, PODS, namespace, labelSelector),
    listOrNothing<WorkflowTaskResult>(client, WORKFLOW_TASK_RESULTS, namespace, labelSelector),
  ]);
  const evidence: Evidence = {
    pods: pods && byNode(pods, ({ metadata }) => metadata.annotations?.[ANNOTATION.nodeId]),
    agent: pods && { pod: pods.find(({ metadata }) => metadata.labels?.[LABEL.component] === AGENT) },
    taskResults: results && byNode(results, ({ metadata }) => metadata.name),
  };
  return explain(workflow, evidence, now);
}

/** The component that an agent's pod is, by its label. */
const AGENT = "agent";

async function listOrNothing<T>(
  client: KubeClient,
  resource: Resource,
  namespace: string,
  labelSelector: string,
): Promise<readonly T[] | undefined> {
  try {
    return (await client.list<T>(resource, namespace, { labelSelector })).items;
  } catch (error) {
    const sort = sortError(error);
    if (sort === "forbidden" || sort === "notFound") return undefined;
    throw error;
  }
}

function byNode<T>(objects: readonly T[], nodeOf: (object: T) => string | undefined): ReadonlyMap<string, T> {
  return new Map(objects.flatMap((object) => {
    const id = nodeOf(object);
    return id === undefined || isProblem(object) ? [] : [[id, object] as const];
  }));
}
