/** The reasons why a workflow of a cluster waits. Reads the workflow with its pods and reports, and writes nothing. */
import * as z from "zod";
import { type Pod, readPod, readTaskResult, type Workflow } from "@tiphys/model/api";
import { AGENT_COMPONENT, ANNOTATION, ARTIFACT_GC_COMPONENT, LABEL } from "@tiphys/base/constants";
import {
  deadlockOfHolder,
  type Evidence,
  explain,
  type PodWarning,
  type Reason,
  waitingHolders,
} from "@tiphys/engine/explain";
import {
  EVENTS,
  type KubeClient,
  type KubeObject,
  type ListOptions,
  PODS,
  type Resource,
  sortError,
  WORKFLOW_TASK_RESULTS,
} from "@tiphys/kube";
import { millisOf } from "@tiphys/model/status";
import { parseHolderKey } from "@tiphys/engine/lock_table";
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
    listIfReadable(client, PODS, namespace, { labelSelector }),
    listIfReadable(client, WORKFLOW_TASK_RESULTS, namespace, { labelSelector }),
    deadlocksBefore(cluster, workflow),
  ]);
  const pods = foundPods?.map(readPod);
  const withRole = (component: string) =>
    pods?.filter(({ metadata }) => metadata.labels?.[LABEL.component] === component) ?? [];
  const evidence: Evidence = {
    pods: pods && groupByNode(pods, ({ metadata }) => metadata.annotations?.[ANNOTATION.nodeId], (pod) => pod),
    podWarnings: pods && await warningsOf(client, namespace, pods),
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
    const sort = sortError(error);
    if (sort === "forbidden" || sort === "notFound") return undefined;
    throw error;
  }
}

/** The maximum number of pods whose events are read. Pods of one workflow usually wait for the same reason. */
const MOST_WITH_EVENTS = 20;

/** Reasons of events about pods whose containers cannot be created. */
const OBSTACLES: ReadonlySet<string> = new Set([
  "FailedScheduling",
  "FailedAttachVolume",
  "FailedMount",
  "FailedMapVolume",
  "FailedCreatePodSandBox",
  "NetworkNotReady",
]);

const PodEvent = z.object({
  type: z.string().nullish(),
  reason: z.string().nullish(),
  message: z.string().nullish(),
  firstTimestamp: z.string().nullish(),
  lastTimestamp: z.string().nullish(),
  eventTime: z.string().nullish(),
  series: z.object({ lastObservedTime: z.string().nullish() }).nullish(),
});
type PodEvent = z.infer<typeof PodEvent>;
const PodEvents = z.array(PodEvent);

/** Returns the last event of each pending pod, by name, if it is about an obstacle. Later events mean that it is gone. */
async function warningsOf(
  client: KubeClient,
  namespace: string,
  pods: readonly Pod[],
): Promise<ReadonlyMap<string, PodWarning>> {
  const pending = pods.filter(({ metadata, status }) =>
    (status?.phase ?? "Pending") === "Pending" && !metadata.deletionTimestamp
  );
  const found = await Promise.all(
    pending.slice(0, MOST_WITH_EVENTS).map(async ({ metadata: { name = "", uid } }) => {
      const fieldSelector = [
        "involvedObject.kind=Pod",
        `involvedObject.name=${name}`,
        ...(uid ? [`involvedObject.uid=${uid}`] : []),
      ].join(",");
      const warning = lastWarning(
        await listIfReadable(client, EVENTS, namespace, { fieldSelector, limit: MOST_EVENTS }),
      );
      return warning ? [[name, warning] as const] : [];
    }),
  );
  return new Map(found.flat());
}

const MOST_EVENTS = 100;

/** The newest of the events about obstacles that no other event follows. */
function lastWarning(items: readonly KubeObject[] | undefined): PodWarning | undefined {
  const events = (PodEvents.safeParse(items).data ?? []).map((event) => ({ ...event, at: lastTimeOf(event) }));
  const sorted = events.toSorted((a, b) => millisOf(a.at) - millisOf(b.at));
  const before = sorted.findLastIndex(({ type, reason }) => type !== "Warning" || !OBSTACLES.has(reason ?? ""));
  const open = sorted.slice(before + 1);
  // The kubelet also reports a timeout of the whole pod, which does not name the cause.
  const last = open.findLast(({ message }) => !message?.startsWith("Unable to attach or mount volumes")) ?? open.at(-1);
  if (!last?.reason) return undefined;
  return { reason: last.reason, message: last.message ?? "", at: last.firstTimestamp ?? last.eventTime ?? undefined };
}

function lastTimeOf({ series, lastTimestamp, eventTime, firstTimestamp }: PodEvent): string | undefined {
  return series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? firstTimestamp ?? undefined;
}

async function listIfReadable(
  client: KubeClient,
  resource: Resource,
  namespace: string,
  options: ListOptions,
): Promise<readonly KubeObject[] | undefined> {
  try {
    return (await client.list(resource, namespace, options)).items;
  } catch (error) {
    const sort = sortError(error);
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
