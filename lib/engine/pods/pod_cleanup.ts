/**
 * Pods whose work is done: containers that still run are ended, finished pods are labelled or deleted. Derived from
 * what is seen in every pass, so nothing is lost by a crash.
 */
import type { NodeStatus, Pod } from "@tiphys/model/api";
import { CONTAINER, LABEL } from "@tiphys/base/constants";
import { isAux } from "@tiphys/model/container_names";
import { matchesLabelSelector } from "@tiphys/kube/selectors";
import { durationSeconds } from "@tiphys/base/go";
import { isMainName, podGcDelay } from "../pod/mod.ts";
import { isCompleted, isCompletedPhase, isOver, millisOf } from "@tiphys/model/status";
import { diedUnborn, isDeleting, isHeld } from "./held_pods.ts";
import { knownTemplate } from "../templates/parallelism.ts";
import type { RequestsDraft, Slice, StatusDraft } from "../slice.ts";

/** Plans the clean-up of every pod that is due. */
export function cleanUpPods(pass: Slice<StatusDraft & RequestsDraft>): void {
  const over = isCompletedPhase(pass.draft.workflow.status?.phase);
  for (const pod of pass.facts.leftovers.values()) remove(pass, pod, over);
  const { pods } = pass.facts;
  // When the workflow ends, what becomes of its pods is asked anew.
  pass.lookAt(over ? "cleanUp at the end" : "cleanUp", pods.keys(), (id) => {
    const pod = pods.get(id);
    if (pod) cleanUpPod(pass, pass.draft.nodes.get(id), pod, over);
  });
}

function cleanUpPod(
  pass: Slice<StatusDraft & RequestsDraft>,
  node: NodeStatus | undefined,
  pod: Pod,
  over: boolean,
): void {
  const isRecorded = node === undefined || (isOver(node) && !node.daemoned);
  if (isDeleting(pod)) return letGo(pass, node, pod, isRecorded || over);
  const phase = pod.status?.phase ?? "Pending";
  if (phase === "Pending" || phase === "Running") {
    if (isRecorded && node?.phase === "Succeeded" && endsByItself(pass, node)) return;
    const isStopped = node !== undefined && isCompleted(node);
    if (isRecorded || isStopped || (phase === "Running" && node && mainIsOver(pass, node, pod))) {
      pass.draft.ask({ kind: "terminateContainers", podName: pod.metadata.name! });
    } else if (phase === "Running" && node) tellEnds(pass, node, pod);
  } else if (isRecorded || over) finish(pass, pod);
}

/** A leftover makes room for the next pod of its node; when the workflow is over it stays as any other finished pod. */
function remove(pass: Slice<RequestsDraft>, pod: Pod, over: boolean): void {
  if (isDeleting(pod) ? !isHeld(pod) : over) return;
  pass.draft.ask({ kind: "deletePod", podName: pod.metadata.name!, uid: pod.metadata.uid });
}

/**
 * A pod that somebody deletes goes as soon as our status says how it ended: the status is written before this is done.
 * One in which nothing ran goes at once.
 */
function letGo(
  pass: Slice<StatusDraft & RequestsDraft>,
  node: NodeStatus | undefined,
  pod: Pod,
  isRecorded: boolean,
): void {
  if (!isHeld(pod)) return;
  const podName = pod.metadata.name!;
  if (isRecorded) pass.draft.ask({ kind: "finishPod", podName, remove: false, delaySeconds: 0 });
  else if (node && diedUnborn(node, pod, knownTemplate(pass, node))) pass.draft.ask({ kind: "releasePod", podName });
}

/** A pod whose executor reported its end is about to be gone; only one that stays is helped along. */
function endsByItself(pass: Slice, node: NodeStatus): boolean {
  const until = millisOf(node.finishedAt) + LAST_WORD_MILLIS;
  if (pass.facts.now.getTime() > until) return false;
  pass.comeBackAt(until + 1);
  return true;
}

/** The time in milliseconds that a pod may take to end after its report. */
const LAST_WORD_MILLIS = 30_000;

/** A main container failed, or all of them ended: sidecars have nobody left to serve. */
function mainIsOver(pass: Slice<StatusDraft>, node: NodeStatus, pod: Pod): boolean {
  // Without its template a pod is taken for one with a single main container.
  const template = knownTemplate(pass, node);
  const statuses = (pod.status?.containerStatuses ?? []).filter(({ name }) => isMainName(name, template));
  const ends = statuses.map(({ state }) => state?.terminated);
  const over = ends.some((end) => end && end.exitCode !== 0) || (ends.length > 0 && ends.every((end) => end));
  if (!over) return false;
  // The executor is about to end by itself; only containers of the user need a word.
  return (pod.status?.containerStatuses ?? []).some(({ name, state }) =>
    state?.running && name !== CONTAINER.supervisor && name !== CONTAINER.wait
  );
}

/**
 * An executor that still works though a container of main failed a while ago uploads what that left, or waits for a word
 * that never comes, because the container ended before its own executor lived. It is told how the container ended, which
 * changes nothing where it knew.
 */
function tellEnds(pass: Slice<StatusDraft & RequestsDraft>, node: NodeStatus, pod: Pod): void {
  const statuses = pod.status?.containerStatuses ?? [];
  const failed = statuses.filter(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  if (failed.length === 0 || !statuses.some(({ name, state }) => state?.running && isAux(name))) return;
  const template = knownTemplate(pass, node);
  const ends = failed.filter(({ name }) => isMainName(name, template));
  if (ends.length === 0) return;
  const last = Math.max(...ends.map(({ state }) => millisOf(state!.terminated!.finishedAt)).filter(Number.isFinite));
  const due = last + OWN_WORD_MILLIS;
  if (pass.facts.now.getTime() < due) return pass.comeBackAt(due);
  const exitCodes = Object.fromEntries(ends.map(({ name, state }) => [name, state!.terminated!.exitCode]));
  pass.draft.ask({ kind: "tellEnds", podName: pod.metadata.name!, exitCodes });
}

/** The time in milliseconds that the executor beside main has to hear of main's end by itself, and to report it. */
const OWN_WORD_MILLIS = 10_000;

function finish(pass: Slice<RequestsDraft>, pod: Pod): void {
  const podName = pod.metadata.name!;
  switch (fateOf(pass, pod)) {
    case "delete": {
      const delay = podGcDelay(pass.draft.spec?.podGC);
      const delaySeconds = delay === undefined ? pass.facts.config.podGcDeleteDelaySeconds : durationSeconds(delay);
      pass.draft.ask({
        kind: "finishPod",
        podName,
        remove: true,
        delaySeconds,
        graceSeconds: pass.facts.config.podGcGraceSeconds,
      });
      return;
    }
    case "label":
      if (pod.metadata.labels?.[LABEL.completed] === "true" && !isHeld(pod)) return;
      pass.draft.ask({ kind: "finishPod", podName, remove: false, delaySeconds: 0 });
      return;
    case "release":
      if (isHeld(pod)) pass.draft.ask({ kind: "releasePod", podName });
  }
}

/**
 * The fate of a finished pod whose end is recorded. `release`: only our finalizer is taken off now, and the end of the
 * workflow decides the rest.
 */
function fateOf(pass: Slice, pod: Pod): "delete" | "label" | "release" {
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
