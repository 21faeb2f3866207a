/**
 * Pods that are deleted before their end is recorded. Our finalizer holds them until it is. If the end is not confirmed
 * in time, it is recorded as lost, so that neither the workflow nor the pod waits forever.
 */
import type { NodeStatus, Pod, Template } from "@tiphys/model/api";
import { FINALIZER } from "@tiphys/base/constants";
import { isMainName } from "../pod/mod.ts";
import { isOver, millisOf } from "@tiphys/model/status";
import { setCondition } from "../workflow/conditions.ts";
import { markContainersDeleted } from "../templates/container_set.ts";
import { humanDuration } from "../duration.ts";
import type { NodesDraft, Slice, StatusDraft } from "../slice.ts";

/** Interval in milliseconds of passes for a held pod without events. */
const CHECK_INTERVAL_MILLIS = 15_000;

/**
 * Milliseconds after a pod's grace period within which the kubelet should confirm its end. After that, the node's
 * message reports that it has not.
 */
const CONFIRMATION_MILLIS = 30_000;

/** Whether our finalizer holds the pod. */
export function hasStatusFinalizer(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(FINALIZER.podStatus) === true;
}

/** Whether deletion of the pod has been requested. */
export function isDeleting(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** Whether no main container of the template has ever started in the pod. */
export function mainNeverStarted(pod: Pod, template: Template | undefined): boolean {
  const mains = (pod.status?.containerStatuses ?? []).filter(({ name }) => isMainName(name, template));
  return !mains.some(({ containerID, state }) => containerID || state?.running || state?.terminated?.startedAt);
}

/**
 * Whether the pod was deleted before anything ran in it: nothing is lost, and the Pending node gets another pod. A pod
 * whose status has a message failed for that reason instead.
 */
export function wasDeletedBeforeStart(node: NodeStatus, pod: Pod, template: Template | undefined): boolean {
  return node.phase === "Pending" && isDeleting(pod) && !pod.status?.message && mainNeverStarted(pod, template);
}

/** Schedules passes for held pods, and fails the nodes of those whose end is not confirmed within the limit. */
export function checkDeletedPods(pass: Slice<NodesDraft & StatusDraft>): void {
  const limit = pass.facts.config.podStatusHoldSeconds * 1000;
  const now = pass.facts.now.getTime();
  pass.evaluateDue("held", pass.facts.pods.keys(), (id) => {
    const node = pass.draft.nodes.get(id);
    const pod = pass.facts.pods.get(id);
    if (!node || !pod || !isDeleting(pod) || isOver(node)) return;
    const deletedAt = millisOf(pod.metadata.deletionTimestamp);
    if (now >= deletedAt + limit) {
      return markLost(pass, node, `pod deleted: ${unconfirmedEnd(pod)} for ${humanDuration(limit)}`);
    }
    if (now >= deletedAt + CONFIRMATION_MILLIS && pod.status?.phase === "Running") {
      pass.draft.mark(node.id, node.phase!, `Pod is being deleted, but ${unconfirmedEnd(pod)}`);
    }
    pass.requestPassAt(Math.min(now + CHECK_INTERVAL_MILLIS, deletedAt + limit));
  });
}

function unconfirmedEnd(pod: Pod): string {
  const host = pod.spec.nodeName;
  return host ? `node "${host}" has not confirmed the end of its containers` : "its end was not confirmed";
}

function markLost(pass: Slice<NodesDraft & StatusDraft>, node: NodeStatus, message: string): void {
  pass.draft.update(node.id, { daemoned: undefined, taskResultSynced: true });
  pass.draft.markError(node.id, message);
  markContainersDeleted(pass, node.id);
  setCondition(pass, "PodStatusLost", "True", `${node.name}: ${message}`);
}
