/** Pods that the cluster ended are made anew, where the settings say so: before main ran, or whenever. */
import type { NodeStatus, Pod, Template } from "@tiphys/model/api";
import { CONTAINER, NODE_SHUTDOWN } from "@tiphys/base/constants";
import { isMainName } from "../pod/mod.ts";
import { saysNeverStarted } from "@tiphys/model/parse_termination_message";
import { mainNeverStarted } from "./held_pods.ts";
import type { NodesDraft, RequestsDraft, Slice } from "../slice.ts";

/** Reasons that lie in the cluster: another pod may fare better. */
const REASONS: ReadonlySet<string> = new Set([
  "Evicted",
  NODE_SHUTDOWN,
  "NodeAffinity",
  "UnexpectedAdmissionError",
]);

/**
 * Turns the node of a failed pod back to Pending and asks for the end of the pod, if the pod may be made anew. The node
 * remembers the pod, so that nothing it says later counts.
 */
export function restartOf(
  pass: Slice<NodesDraft & RequestsDraft>,
  node: NodeStatus,
  pod: Pod,
  template: Template | undefined,
): NodeStatus | undefined {
  const { reason = "", message = "" } = pod.status ?? {};
  const restarts = node.failedPodRestarts ?? 0;
  if (pod.status?.phase !== "Failed" || !REASONS.has(reason)) return undefined;
  const isOwed = reason === NODE_SHUTDOWN && pass.facts.config.remakeAfterShutdown;
  if (!isOwed && (restarts >= pass.facts.config.maxPodRestarts || mainRan(pass, node, pod, template))) return undefined;
  const condition = /condition: \[(\w+)\]/.exec(message)?.[1];
  const { namespace = "" } = pod.metadata;
  pass.draft.ask({
    kind: "count",
    metric: "pod_restarts_total",
    labels: { reason, ...(condition && { condition }), namespace },
  });
  pass.draft.ask({ kind: "deletePod", podName: pod.metadata.name!, uid: pod.metadata.uid });
  return pass.draft.update(node.id, {
    phase: "Pending",
    daemoned: undefined,
    message: `Pod auto-restarting due to ${reason}: ${message}`,
    failedPodRestarts: restarts + 1,
    restartingPodUID: pod.metadata.uid,
  });
}

/**
 * Whether a process of the user ever ran. An init-less pod starts main's container before its inputs are there: main runs
 * from READY on, which is when the supervisor opens its report.
 */
function mainRan(pass: Slice, node: NodeStatus, pod: Pod, template: Template | undefined): boolean {
  if (mainNeverStarted(pod, template)) return false;
  const waitsForReady = pod.spec.containers.some(({ name }) => name === CONTAINER.supervisor);
  if (waitsForReady && !pass.facts.taskResults.has(node.id)) return false;
  const ends = (pod.status?.containerStatuses ?? [])
    .filter(({ name }) => isMainName(name, template))
    .map(({ state }) => state?.terminated?.message);
  return !ends.every(saysNeverStarted);
}
