/** The action for a pod that has no pass, as a pure function, so that each rule is one line of a test. */
import type { Pod } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { keyOf, type KubeObject } from "@tiphys/kube";
import { DurationError, MILLISECOND, parseArgoDuration } from "@tiphys/base/go";
import { hasStatusFinalizer, isDeleting } from "@tiphys/engine";
import { hasGarbageFinalizer } from "@tiphys/engine/garbage";
import { isReduced } from "../observe/finished.ts";
import { isNodeOver } from "../observe/glance.ts";

/** The owner of a pod according to the local copies. `gone`: a workflow of that name and UID does not exist. */
export type Owner = { readonly kind: "gone" } | { readonly kind: "there"; readonly workflow: KubeObject };

/** The action for a pod; `hold`: nothing, because a pass handles it. */
export type OrphanAction =
  | { readonly kind: "hold" }
  | { readonly kind: "release" }
  | { readonly kind: "delete"; readonly at: number };

const HOLD: OrphanAction = { kind: "hold" };

/**
 * Finds the owner of a pod by namespace and UID: not one of the same name in another namespace, or one that was
 * created later. A pod without an owner reference (somebody removed it) belongs to the workflow of its label.
 */
export function ownerOf(pod: Pod, workflowAt: (key: string) => KubeObject | undefined): Owner {
  const reference = pod.metadata.ownerReferences?.find(({ kind }) => kind === "Workflow");
  const name = reference?.name ?? pod.metadata.labels?.[LABEL.workflow] ?? "";
  const workflow = workflowAt(keyOf({ metadata: { namespace: pod.metadata.namespace, name } }));
  const isIt = workflow && (!reference || reference.uid === workflow.metadata.uid);
  return isIt ? { kind: "there", workflow } : { kind: "gone" };
}

/**
 * Decides what to do with the pod. If its workflow is gone or being deleted, its end is not read: it is released, and
 * deleted if its annotation requests that. If its workflow has finished, the end of its node is recorded.
 */
export function orphanActionOf(pod: Pod, owner: Owner, now: Date): OrphanAction {
  if (owner.kind === "there") {
    const { metadata } = owner.workflow;
    // A workflow that is kept for its garbage is reconciled to its end: the artifacts of its pods must be known.
    const isWorked = !metadata.deletionTimestamp || hasGarbageFinalizer(owner.workflow);
    if (!isWorked && hasStatusFinalizer(pod)) return { kind: "release" };
    const isRecorded = metadata.labels?.[LABEL.completed] === "true" &&
      (isReduced(owner.workflow) || isNodeOver(owner.workflow, pod.metadata.annotations?.[ANNOTATION.nodeId] ?? ""));
    // A deletion that failed halfway leaves a pod without our finalizer that is not labeled as completed.
    const isReleased = !hasStatusFinalizer(pod) && pod.metadata.labels?.[LABEL.completed] === "true";
    return isRecorded && !isReleased && hasEnded(pod) ? { kind: "release" } : HOLD;
  }
  const time = removalTime(pod, now);
  if (time !== undefined && !isDeleting(pod)) return { kind: "delete", at: time };
  return hasStatusFinalizer(pod) ? { kind: "release" } : HOLD;
}

/**
 * When the pod is to be deleted according to its annotation (`<strategy>/<delay>`), in milliseconds since 1970;
 * undefined for never.
 */
function removalTime(pod: Pod, now: Date): number | undefined {
  const [strategy, delay] = (pod.metadata.annotations?.[ANNOTATION.podGcStrategy] ?? "").split("/");
  if (!hasEnded(pod) || pod.metadata.labels?.[LABEL.component] !== undefined) return undefined;
  switch (strategy) {
    case "OnPodCompletion":
    case "OnWorkflowCompletion":
      break;
    case "OnPodSuccess":
    // Whether the workflow succeeded is no longer known: its failed pods are kept for inspection.
    case "OnWorkflowSuccess":
      if (pod.status?.phase !== "Succeeded") return undefined;
      break;
    default:
      return undefined;
  }
  return lastEnd(pod, now) + delayMillis(delay);
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

function lastEnd({ status }: Pod, now: Date): number {
  const ends = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ""));
  const known = ends.filter((end) => !Number.isNaN(end));
  return known.length ? Math.max(...known) : now.getTime();
}

/** Parses a delay. An invalid one counts as zero, because the pod has ended and has no owner. */
function delayMillis(delay: string | undefined): number {
  try {
    return delay ? Number(parseArgoDuration(delay) / MILLISECOND) : 0;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    return 0;
  }
}
