/** Orphan pods: what is done with a pod that no pass will look at, purely, so that each rule is one line of a test. */
import type { Pod } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { keyOf, type KubeObject } from "@tiphys/kube";
import { DurationError, MILLISECOND, parseArgoDuration } from "@tiphys/base/go";
import { isDeleting, isHeld, isKeptForGarbage } from "@tiphys/engine";
import { isReduced } from "../observe/finished.ts";
import { isNodeOver } from "../observe/glance.ts";

/** The owner of a pod, as far as the local copies tell. `gone`: no workflow of that name and UID is there. */
export type Owner = { readonly kind: "gone" } | { readonly kind: "there"; readonly workflow: KubeObject };

/** The thing to do with a pod; `hold`: nothing, a pass will see to it. */
export type OrphanAction =
  | { readonly kind: "hold" }
  | { readonly kind: "release" }
  | { readonly kind: "delete"; readonly at: number };

const HOLD: OrphanAction = { kind: "hold" };

/**
 * Finds the owner of a pod by namespace and UID: a namesake in another namespace, or one that was made since, is not it.
 * A pod that names no owner (somebody cut it loose) belongs to the workflow of its label.
 */
export function ownerOf(pod: Pod, workflowAt: (key: string) => KubeObject | undefined): Owner {
  const reference = pod.metadata.ownerReferences?.find(({ kind }) => kind === "Workflow");
  const name = reference?.name ?? pod.metadata.labels?.[LABEL.workflow] ?? "";
  const workflow = workflowAt(keyOf({ metadata: { namespace: pod.metadata.namespace, name } }));
  const isIt = workflow && (!reference || reference.uid === workflow.metadata.uid);
  return isIt ? { kind: "there", workflow } : { kind: "gone" };
}

/**
 * Decides what becomes of the pod. With its workflow gone, or on its way out, nobody will read its end: it is let go,
 * and removed where its own annotation says so. With its workflow over, its node's end is recorded.
 */
export function orphanActionOf(pod: Pod, owner: Owner, now: Date): OrphanAction {
  if (owner.kind === "there") {
    const { metadata } = owner.workflow;
    // A workflow that is kept for its garbage is worked to its end: the artifacts of its pods are to be known.
    const isWorked = !metadata.deletionTimestamp || isKeptForGarbage(owner.workflow);
    if (!isWorked && isHeld(pod)) return { kind: "release" };
    const isRecorded = metadata.labels?.[LABEL.completed] === "true" &&
      (isReduced(owner.workflow) || isNodeOver(owner.workflow, pod.metadata.annotations?.[ANNOTATION.nodeId] ?? ""));
    // A deletion that failed halfway leaves a pod without our finalizer that is not labeled as completed.
    const isReleased = !isHeld(pod) && pod.metadata.labels?.[LABEL.completed] === "true";
    return isRecorded && !isReleased && hasEnded(pod) ? { kind: "release" } : HOLD;
  }
  const at = removalTime(pod, now);
  if (at !== undefined && !isDeleting(pod)) return { kind: "delete", at };
  return isHeld(pod) ? { kind: "release" } : HOLD;
}

/**
 * The moment at which the pod's own annotation (`<strategy>/<delay>`) has it removed, in milliseconds since 1970;
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
    // Whether the workflow succeeded is not known any more: its failed pods are kept for whoever wants to know.
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

/** A delay that cannot be read is none: the pod is finished and nobody's. */
function delayMillis(delay: string | undefined): number {
  try {
    return delay ? Number(parseArgoDuration(delay) / MILLISECOND) : 0;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    return 0;
  }
}
