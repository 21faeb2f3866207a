/** Logs that outlive their pods: logs that pods saved as artifacts (`archiveLogs`), read from their store. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { classifyError } from "@tiphys/kube";
import { UnreadableNodesError, wholeWorkflow } from "@tiphys/model/nodes";
import { podNameOf } from "@tiphys/model/status";
import type { OpenOptions } from "./artifacts.ts";
import { type Cluster, getWorkflow } from "./change.ts";
import { firstBytes } from "./first_bytes.ts";
import { lastLines } from "./last_lines.ts";
import { linesOfStream, type ReadLine } from "./log_lines.ts";
import type { LogRequest } from "./service.ts";

/** The log of a pod that no longer exists. */
export interface DeletedPodLog {
  readonly podName: string;
  /** Start time of its node. */
  readonly from: string;
  /** Returns its lines, which have no timestamps, in batches. */
  open(): AsyncGenerator<readonly ReadLine[]>;
}

/** The workflow whose pods no longer exist, and the names of those that do. */
export interface DeletedPods extends Cluster {
  readonly namespace: string;
  readonly workflowName: string;
  /** The workflow as it is stored, if known. A workflow that is gone from the cluster may be in an archive. */
  readonly workflow?: Workflow | undefined;
  readonly existingPods: ReadonlySet<string>;
  /** The environment of a program with plugins alongside, which may store logs too. */
  readonly beside?: OpenOptions["beside"];
  /** Decides which addresses of stores may be connected to. */
  readonly reach?: OpenOptions["reach"];
}

/**
 * Returns the archived logs of pods that no longer exist, ordered by the start of their nodes. Empty if the request
 * selects by labels.
 */
export async function logsOfDeletedPods(
  gone: DeletedPods,
  request: LogRequest,
  signal: AbortSignal,
): Promise<DeletedPodLog[]> {
  const { container = "main", podName: only, labelSelector, previous } = request;
  if (labelSelector || previous) return [];
  const workflow = await workflowOf(gone);
  if (!workflow) return [];
  const artifactName = `${container}-logs`;
  const since = startMillisOf(request);
  return Object.values(workflow.status?.nodes ?? {})
    .filter((node) => hasLog(node, artifactName) && !(Date.parse(node.finishedAt ?? "") < since))
    .map((node) => ({ node, podName: podNameOf(workflow, node) }))
    .filter(({ podName }) => !gone.existingPods.has(podName) && (only === undefined || podName === only))
    .sort((a, b) => (a.node.startedAt ?? "") < (b.node.startedAt ?? "") ? -1 : 1)
    .map(({ node, podName }) => ({
      podName,
      from: node.startedAt ?? "",
      open: () => {
        const lines = () => archivedLines(gone, workflow, { nodeId: node.id, artifactName }, signal);
        return firstBytes(lastLines(lines, request.tailLines), request.limitBytes);
      },
    }));
}

/**
 * Returns the workflow. Undefined when it is gone, and when its nodes are unavailable but there are pods to read
 * instead.
 */
async function workflowOf(
  { namespace, workflowName, existingPods, workflow, ...cluster }: DeletedPods,
): Promise<Workflow | undefined> {
  try {
    if (workflow) return await wholeWorkflow(workflow, cluster.offloaded);
    return await getWorkflow(cluster, namespace, workflowName);
  } catch (error) {
    if (classifyError(error) === "notFound" || error instanceof UnreadableNodesError && existingPods.size > 0) {
      return undefined;
    }
    throw error;
  }
}

/** Whether the log of a node is an artifact that its pod saved. Outputs from a cache belong to another pod. */
function hasLog({ type, memoizationStatus, outputs }: NodeStatus, artifactName: string): boolean {
  if (type !== "Pod" || memoizationStatus?.hit) return false;
  return outputs?.artifacts?.some(({ name, deleted }) => name === artifactName && !deleted) ?? false;
}

/**
 * Returns the start of the requested time, in milliseconds. Lines have no timestamps, so whole logs are compared: a pod
 * that ended before this time is omitted.
 */
function startMillisOf({ sinceTime, sinceSeconds }: LogRequest): number {
  if (sinceTime) return Date.parse(sinceTime);
  return sinceSeconds === undefined ? -Infinity : Date.now() - sinceSeconds * 1000;
}

/** @throws {StoreError} when the store does not return it; other errors when its secrets cannot be read. */
async function* archivedLines(
  { client, beside, reach }: DeletedPods,
  workflow: Workflow,
  choice: { readonly nodeId: string; readonly artifactName: string },
  signal: AbortSignal,
): AsyncGenerator<readonly ReadLine[]> {
  const { openArtifact } = await import("./artifacts.ts");
  await using artifact = await openArtifact(client, workflow, choice, { beside, reach });
  const { driver, place } = artifact;
  if (!("read" in driver)) return;
  try {
    yield* linesOfStream(await driver.read(place, {}, signal));
  } catch (error) {
    if (signal.aborted) return;
    throw artifact.redactError(error);
  }
}
