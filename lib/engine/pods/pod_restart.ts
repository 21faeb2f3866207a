/** Restart of pods that the cluster ended: before main ran, or at any time, depending on the settings. */
import type { NodeStatus, Pod, Template } from "@tiphys/model/api";
import { CONTAINER, NODE_SHUTDOWN } from "@tiphys/base/constants";
import { isMainName } from "../pod/mod.ts";
import { isNeverStarted } from "@tiphys/model/parse_termination_message";
import { mainNeverStarted } from "./deleted_pods.ts";
import type { NodesDraft, RequestsDraft, Slice } from "../slice.ts";

/** Reasons for a failure that are caused by the cluster: another pod may succeed. */
const CLUSTER_REASONS: ReadonlySet<string> = new Set([
  "Evicted",
  NODE_SHUTDOWN,
  "NodeAffinity",
  "UnexpectedAdmissionError",
]);

/**
 * Resets the node of a failed pod to Pending and requests deletion of the pod, if the pod may be restarted. The node
 * stores the pod's UID, so that its later state is ignored.
 * @returns the changed node; undefined if the pod is not restarted.
 */
export function restartPod(
  pass: Slice<NodesDraft & RequestsDraft>,
  node: NodeStatus,
  pod: Pod,
  template: Template | undefined,
): NodeStatus | undefined {
  const { reason = "", message = "" } = pod.status ?? {};
  const restarts = node.failedPodRestarts ?? 0;
  if (pod.status?.phase !== "Failed" || !CLUSTER_REASONS.has(reason)) return undefined;
  const isUnlimited = reason === NODE_SHUTDOWN && pass.facts.config.restartsPodsAfterShutdown;
  if (!isUnlimited && (restarts >= pass.facts.config.maxPodRestarts || hasMainRun(pass, node, pod, template))) {
    return undefined;
  }
  const condition = /condition: \[(\w+)\]/.exec(message)?.[1];
  const { namespace = "" } = pod.metadata;
  pass.draft.request({
    kind: "count",
    metric: "pod_restarts_total",
    labels: { reason, ...(condition && { condition }), namespace },
  });
  pass.draft.request({ kind: "deletePod", podName: pod.metadata.name!, uid: pod.metadata.uid });
  return pass.draft.update(node.id, {
    phase: "Pending",
    daemoned: undefined,
    message: `Pod auto-restarting due to ${reason}: ${message}`,
    failedPodRestarts: restarts + 1,
    restartingPodUID: pod.metadata.uid,
  });
}

/**
 * Whether a process of the user has run. An init-less pod starts main's container before its inputs exist: main's
 * process starts at READY, when the supervisor creates its task result.
 */
function hasMainRun(pass: Slice, node: NodeStatus, pod: Pod, template: Template | undefined): boolean {
  if (mainNeverStarted(pod, template)) return false;
  const waitsForReady = pod.spec.containers.some(({ name }) => name === CONTAINER.supervisor);
  if (waitsForReady && !pass.facts.taskResults.has(node.id)) return false;
  const ends = (pod.status?.containerStatuses ?? [])
    .filter(({ name }) => isMainName(name, template))
    .map(({ state }) => state?.terminated?.message);
  return !ends.every(isNeverStarted);
}
