/**
 * What becomes of pods whose work is done: containers that still run are ended, finished pods are labelled or deleted
 * (spec/pods 6.1, 6.7, 6.8). Derived from what is seen in every pass, so nothing is lost by a crash.
 */
import type { NodeStatus, Pod } from "../../lib/api/mod.ts";
import { CONTAINER, FINALIZER, LABEL } from "../../lib/constants.ts";
import { matchesLabelSelector } from "../../lib/kube/mod.ts";
import { argoDurationMillis } from "./duration.ts";
import { isOver } from "./node_state.ts";
import { templateOfNode } from "./parallelism.ts";
import type { Pass } from "./pass.ts";
import { millisOf } from "./time.ts";
import { isFinal } from "./workflow_phase.ts";

/** Plans the clean-up of every pod that is due. */
export function cleanUpPods(pass: Pass): void {
  for (const [nodeId, pod] of pass.observed.pods) {
    const podName = pod.metadata.name!;
    const node = pass.nodes.get(nodeId);
    const phase = pod.status?.phase ?? "Pending";
    if (phase === "Pending" || phase === "Running") {
      const abandoned = node === undefined || (isOver(node) && !node.daemoned);
      if (abandoned && node?.phase === "Succeeded" && endsByItself(pass, node)) continue;
      if (abandoned || (phase === "Running" && node && mainIsOver(pass, node, pod))) {
        pass.actions.push({ kind: "terminateContainers", podName });
      }
      continue;
    }
    if (node && !isOver(node)) continue;
    finish(pass, pod);
  }
}

/** A pod whose executor reported its end is about to be gone; only one that stays is helped along. */
function endsByItself(pass: Pass, node: NodeStatus): boolean {
  const until = millisOf(node.finishedAt) + LAST_WORD_MILLIS;
  if (pass.now.getTime() > until) return false;
  pass.comeBackAt(until + 1);
  return true;
}

/** How long a pod may take to end after its report, milliseconds. */
const LAST_WORD_MILLIS = 30_000;

/** A main container failed, or all of them ended: sidecars have nobody left to serve. */
function mainIsOver(pass: Pass, node: NodeStatus, pod: Pod): boolean {
  let members: string[] = [CONTAINER.main];
  try {
    const set = templateOfNode(pass, node)?.containerSet?.containers;
    if (set) members = set.map(({ name }) => name!);
  } catch {
    // Without its template the pod is taken for one with a single main container.
  }
  const statuses = (pod.status?.containerStatuses ?? []).filter(({ name }) => members.includes(name));
  const ends = statuses.map(({ state }) => state?.terminated);
  const over = ends.some((end) => end && end.exitCode !== 0) || (ends.length > 0 && ends.every((end) => end));
  if (!over) return false;
  // The executor is about to end by itself; only containers of the user need a word.
  return (pod.status?.containerStatuses ?? []).some(({ name, state }) =>
    state?.running && name !== CONTAINER.supervisor && name !== CONTAINER.wait
  );
}

function finish(pass: Pass, pod: Pod): void {
  const labels = pod.metadata.labels ?? {};
  if (labels[LABEL.component] !== undefined) return;
  const remove = shouldDelete(pass, pod);
  const held = pod.metadata.finalizers?.includes(FINALIZER.podStatus) === true;
  const marked = labels[LABEL.completed] === "true" && !held;
  if (remove ? pod.metadata.deletionTimestamp !== undefined && !held : marked) return;
  const delay = pass.spec?.podGC?.deleteDelayDuration;
  pass.actions.push({
    kind: "finishPod",
    podName: pod.metadata.name!,
    remove,
    delaySeconds: remove ? (delay ? argoDurationMillis(delay) / 1000 : pass.config.podGcDeleteDelaySeconds) : 0,
  });
}

function shouldDelete(pass: Pass, pod: Pod): boolean {
  const gc = pass.spec?.podGC;
  if (!gc?.strategy) return false;
  if (gc.labelSelector && !matchesLabelSelector(gc.labelSelector, pod.metadata.labels ?? {})) return false;
  const phase = pass.workflow.status?.phase;
  switch (gc.strategy) {
    case "OnPodCompletion":
      return true;
    case "OnPodSuccess":
      return pod.status?.phase === "Succeeded";
    case "OnWorkflowCompletion":
      return isFinal(phase);
    case "OnWorkflowSuccess":
      return phase === "Succeeded";
    default:
      return false;
  }
}
