/**
 * Pods that somebody deletes before their end is recorded. Our finalizer holds them until it is; what can never be
 * known any more is said to be lost, so that neither the workflow nor the pod waits for ever.
 */
import type { NodeStatus, Pod, Template } from "@tiphys/model/api";
import { FINALIZER } from "@tiphys/base/constants";
import { isMainName } from "../pod/mod.ts";
import { isOver, millisOf } from "@tiphys/model/status";
import { setCondition } from "../whole/conditions.ts";
import { markContainersDeleted } from "../templates/container_set.ts";
import { humanDuration } from "../duration.ts";
import type { NodesDraft, Slice, StatusDraft } from "../slice.ts";

/** The delay in milliseconds before a held pod is looked at again when nothing is heard of it. */
const LOOK_AGAIN_MILLIS = 15_000;

/**
 * The time in milliseconds after a pod's grace period within which its machine should confirm the end; after that the
 * node's message says that it has not.
 */
const CONFIRMATION_MILLIS = 30_000;

/** Our finalizer keeps the pod. */
export function isHeld(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(FINALIZER.podStatus) === true;
}

/** Whether somebody has asked for the deletion of the pod. */
export function isDeleting(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** No container of the template's own has ever been started in the pod. */
export function mainNeverStarted(pod: Pod, template: Template | undefined): boolean {
  const mains = (pod.status?.containerStatuses ?? []).filter(({ name }) => isMainName(name, template));
  return !mains.some(({ containerID, state }) => containerID || state?.running || state?.terminated?.startedAt);
}

/**
 * Nothing ran in the pod and somebody deleted it: nothing is lost, the Pending node gets another pod. A pod that tells
 * why it failed is believed instead.
 */
export function diedUnborn(node: NodeStatus, pod: Pod, template: Template | undefined): boolean {
  return node.phase === "Pending" && isDeleting(pod) && !pod.status?.message && mainNeverStarted(pod, template);
}

/** Comes back to the pods whose end is awaited, and gives up on those that have kept us waiting for too long. */
export function awaitHeldPods(pass: Slice<NodesDraft & StatusDraft>): void {
  const limit = pass.facts.config.podStatusHoldSeconds * 1000;
  const now = pass.facts.now.getTime();
  pass.lookAt("held", pass.facts.pods.keys(), (id) => {
    const node = pass.draft.nodes.get(id);
    const pod = pass.facts.pods.get(id);
    if (!node || !pod || !isDeleting(pod) || isOver(node)) return;
    const since = millisOf(pod.metadata.deletionTimestamp);
    if (now >= since + limit) return lose(pass, node, `pod deleted: ${silence(pod)} for ${humanDuration(limit)}`);
    if (now >= since + CONFIRMATION_MILLIS && pod.status?.phase === "Running") {
      pass.draft.mark(node.id, node.phase!, `Pod is being deleted, but ${silence(pod)}`);
    }
    pass.comeBackAt(Math.min(now + LOOK_AGAIN_MILLIS, since + limit));
  });
}

function silence(pod: Pod): string {
  const host = pod.spec.nodeName;
  return host ? `node "${host}" has not confirmed the end of its containers` : "its end was not confirmed";
}

function lose(pass: Slice<NodesDraft & StatusDraft>, node: NodeStatus, message: string): void {
  pass.draft.update(node.id, { daemoned: undefined, taskResultSynced: true });
  pass.draft.markError(node.id, message);
  markContainersDeleted(pass, node.id);
  setCondition(pass, "PodStatusLost", "True", `${node.name}: ${message}`);
}
