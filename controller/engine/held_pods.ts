/**
 * Pods that somebody deletes before their end is recorded. Our finalizer holds them until it is; what can never be
 * known any more is said to be lost, so that neither the workflow nor the pod waits for ever (spec/pods 6.10).
 */
import type { NodeStatus, Pod, Template } from "../../lib/api/mod.ts";
import { FINALIZER } from "../../lib/constants.ts";
import { isMainName } from "../../lib/pod/mod.ts";
import { setCondition } from "./conditions.ts";
import { markContainersDeleted } from "./container_set.ts";
import { humanDuration } from "./duration.ts";
import { isOver } from "./node_state.ts";
import type { Pass } from "./pass.ts";
import { millisOf } from "./time.ts";

/** How soon a held pod is looked at again when nothing is heard of it, milliseconds. */
const LOOK_AGAIN_MILLIS = 15_000;

/** How long after a pod's grace period its machine may take to confirm the end, before we say that it does not. */
const CONFIRMATION_MILLIS = 30_000;

/** Our finalizer keeps the pod. */
export function isHeld(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(FINALIZER.podStatus) === true;
}

/** Somebody has asked for the end of the pod. */
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
export function awaitHeldPods(pass: Pass): void {
  const limit = pass.config.podStatusHoldSeconds * 1000;
  const now = pass.now.getTime();
  pass.lookAt("held", pass.observed.pods.keys(), (id) => {
    const node = pass.nodes.get(id);
    const pod = pass.observed.pods.get(id);
    if (!node || !pod || !isDeleting(pod) || isOver(node)) return;
    const since = millisOf(pod.metadata.deletionTimestamp);
    if (now >= since + limit) return lose(pass, node, `pod deleted: ${silence(pod)} for ${humanDuration(limit)}`);
    if (now >= since + CONFIRMATION_MILLIS && pod.status?.phase === "Running") {
      pass.mark(node.id, node.phase!, `Pod is being deleted, but ${silence(pod)}`);
    }
    pass.comeBackAt(Math.min(now + LOOK_AGAIN_MILLIS, since + limit));
  });
}

function silence(pod: Pod): string {
  const host = pod.spec.nodeName;
  return host ? `node "${host}" has not confirmed the end of its containers` : "its end was not confirmed";
}

function lose(pass: Pass, node: NodeStatus, message: string): void {
  pass.nodes.update(node.id, { daemoned: undefined, taskResultSynced: true });
  pass.markError(node.id, message);
  markContainersDeleted(pass, node.id);
  setCondition(pass, "PodStatusLost", "True", `${node.name}: ${message}`);
}
