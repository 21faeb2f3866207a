/**
 * Cleanup of pods whose work is done: their running containers are terminated, and completed pods are labeled or
 * deleted. Derived from the observed state in every pass, so a crash loses nothing.
 */
import type { NodeStatus, Pod } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { isArgoSidecar, isAux } from "@tiphys/model/container_names";
import { matchesLabelSelector } from "@tiphys/kube/selectors";
import { durationSeconds } from "@tiphys/base/go";
import { isMainName, podGcDelay } from "../pod/mod.ts";
import { isCompleted, isCompletedPhase, isOver, millisOf } from "@tiphys/model/status";
import { hasStatusFinalizer, isDeleting, wasDeletedBeforeStart } from "./deleted_pods.ts";
import { templateIfValid } from "../templates/parallelism.ts";
import type { RequestsDraft, Slice, StatusDraft } from "../slice.ts";

/** Requests the cleanup of every pod for which it is due. */
export function cleanUpPods(pass: Slice<StatusDraft & RequestsDraft>): void {
  const isEnded = isCompletedPhase(pass.draft.workflow.status?.phase);
  for (const pod of pass.facts.leftovers.values()) deleteLeftover(pass, pod, isEnded);
  const { pods } = pass.facts;
  // The end of the workflow can change what happens to any pod, so all of them are checked again.
  pass.evaluateDue(isEnded ? "cleanUp at the end" : "cleanUp", pods.keys(), (id) => {
    const pod = pods.get(id);
    if (pod) cleanUpPod(pass, pass.draft.nodes.get(id), pod, isEnded);
  });
}

function cleanUpPod(
  pass: Slice<StatusDraft & RequestsDraft>,
  node: NodeStatus | undefined,
  pod: Pod,
  isEnded: boolean,
): void {
  const isRecorded = node === undefined || (isOver(node) && !node.daemoned);
  if (isDeleting(pod)) return releaseDeleted(pass, node, pod, isRecorded || isEnded);
  const phase = pod.status?.phase ?? "Pending";
  if (phase === "Pending" || phase === "Running") {
    if (isRecorded && node?.phase === "Succeeded" && mayStillEnd(pass, node)) return;
    const isStopped = node !== undefined && isCompleted(node);
    const podName = pod.metadata.name!;
    if (isRecorded || isStopped) return pass.draft.request({ kind: "terminateContainers", podName });
    if (phase !== "Running" || !node) return;
    if (mustTerminateOthers(pass, node, pod)) {
      pass.draft.request({ kind: "terminateContainers", podName, keepsExecutor: true });
    }
    reportFailedMains(pass, node, pod);
  } else if (isRecorded || isEnded) finishPod(pass, pod);
}

/** Deletes a leftover pod to make room for the next pod of its node. In a completed workflow, there is no next pod. */
function deleteLeftover(pass: Slice<RequestsDraft>, pod: Pod, isEnded: boolean): void {
  if (isDeleting(pod) ? !hasStatusFinalizer(pod) : isEnded) return;
  pass.draft.request({ kind: "deletePod", podName: pod.metadata.name!, uid: pod.metadata.uid });
}

/**
 * Releases a pod that is being deleted once its end is recorded: requests are carried out after the status is written.
 * A pod in which nothing ran is released immediately.
 */
function releaseDeleted(
  pass: Slice<StatusDraft & RequestsDraft>,
  node: NodeStatus | undefined,
  pod: Pod,
  isRecorded: boolean,
): void {
  if (!hasStatusFinalizer(pod)) return;
  const podName = pod.metadata.name!;
  if (isRecorded) pass.draft.request({ kind: "finishPod", podName, remove: false, delaySeconds: 0 });
  else if (node && wasDeletedBeforeStart(node, pod, templateIfValid(pass, node))) {
    pass.draft.request({ kind: "releasePod", podName });
  }
}

/**
 * Whether the pod of a node that succeeded by its task result may still end without termination. Schedules a check. A
 * daemon runs until it is terminated.
 */
function mayStillEnd(pass: Slice<StatusDraft>, node: NodeStatus): boolean {
  if (templateIfValid(pass, node)?.daemon) return false;
  const until = millisOf(node.finishedAt) + POD_END_MILLIS;
  if (pass.facts.now.getTime() > until) return false;
  pass.requestPassAt(until + 1);
  return true;
}

/** Milliseconds within which a pod should end after its task result. */
const POD_END_MILLIS = 30_000;

/**
 * Whether a main container failed or all of them ended, and other containers still run. While the executor runs, it and
 * its plugins end by themselves.
 */
function mustTerminateOthers(pass: Slice<StatusDraft>, node: NodeStatus, pod: Pod): boolean {
  // Without its template, a pod is assumed to have a single main container.
  const template = templateIfValid(pass, node);
  const statuses = pod.status?.containerStatuses ?? [];
  const ends = statuses.filter(({ name }) => isMainName(name, template)).map(({ state }) => state?.terminated);
  const hasMainEnded = ends.some((end) => end && end.exitCode !== 0) || (ends.length > 0 && ends.every((end) => end));
  if (!hasMainEnded) return false;
  const running = statuses.filter(({ state }) => state?.running).map(({ name }) => name);
  return running.some(running.some(isAux) ? (name) => !isArgoSidecar(name) : () => true);
}

/**
 * Reports failed main containers to an executor that still runs some time after the failure. It may be uploading
 * outputs, or waiting for a notification that never comes because the container ended before its own executor started.
 * Has no effect if the executor knows already.
 */
function reportFailedMains(pass: Slice<StatusDraft & RequestsDraft>, node: NodeStatus, pod: Pod): void {
  const statuses = pod.status?.containerStatuses ?? [];
  const failed = statuses.filter(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  if (failed.length === 0 || !statuses.some(({ name, state }) => state?.running && isAux(name))) return;
  const template = templateIfValid(pass, node);
  const ends = failed.filter(({ name }) => isMainName(name, template));
  if (ends.length === 0) return;
  const last = Math.max(...ends.map(({ state }) => millisOf(state!.terminated!.finishedAt)).filter(Number.isFinite));
  const due = last + OWN_REPORT_MILLIS;
  if (pass.facts.now.getTime() < due) return pass.requestPassAt(due);
  const exitCodes = Object.fromEntries(ends.map(({ name, state }) => [name, state!.terminated!.exitCode]));
  pass.draft.request({ kind: "reportEnds", podName: pod.metadata.name!, exitCodes });
}

/** Milliseconds within which the supervisor should detect and report main's end by itself. */
const OWN_REPORT_MILLIS = 10_000;

function finishPod(pass: Slice<RequestsDraft>, pod: Pod): void {
  const podName = pod.metadata.name!;
  switch (cleanupOf(pass, pod)) {
    case "delete": {
      const delay = podGcDelay(pass.draft.spec?.podGC);
      const delaySeconds = delay === undefined ? pass.facts.config.podGcDeleteDelaySeconds : durationSeconds(delay);
      pass.draft.request({
        kind: "finishPod",
        podName,
        remove: true,
        delaySeconds,
        graceSeconds: pass.facts.config.podGcGraceSeconds,
      });
      return;
    }
    case "label":
      if (pod.metadata.labels?.[LABEL.completed] === "true" && !hasStatusFinalizer(pod)) return;
      pass.draft.request({ kind: "finishPod", podName, remove: false, delaySeconds: 0 });
      return;
    case "release":
      if (hasStatusFinalizer(pod)) pass.draft.request({ kind: "releasePod", podName });
  }
}

/**
 * The cleanup of a completed pod whose end is recorded. `release` removes only our finalizer; the rest is decided when
 * the workflow ends.
 */
function cleanupOf(pass: Slice, pod: Pod): "delete" | "label" | "release" {
  const gc = pass.draft.spec?.podGC;
  const phase = pass.draft.workflow.status?.phase;
  if (gc?.labelSelector && !matchesLabelSelector(gc.labelSelector, pod.metadata.labels ?? {})) return "label";
  switch (gc?.strategy) {
    case "OnPodCompletion":
      return "delete";
    case "OnPodSuccess":
      return pod.status?.phase === "Succeeded" ? "delete" : "label";
    case "OnWorkflowCompletion":
      return isCompletedPhase(phase) ? "delete" : "release";
    case "OnWorkflowSuccess":
      return phase === "Succeeded" ? "delete" : isCompletedPhase(phase) ? "label" : "release";
    default:
      return "label";
  }
}
