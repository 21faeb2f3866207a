/** Names, labels and annotations of a pod. */
import type { ObjectMeta, OwnerReference, Pod } from "@tiphys/model/api";
import { ANNOTATION, API_VERSION, CONTAINER, FINALIZER, LABEL } from "@tiphys/base/constants";
import { formatDuration, parseArgoDuration } from "@tiphys/base/go/duration";
import { podGcDelay } from "../pod_gc_delay.ts";
import type { PodRequest } from "../request.ts";

const DEFAULT_POD_GC_DELAY = "5s";

/**
 * Metadata of the pod, with the reason for its layout if it needs one. What users set wins, but for whose pod it is: a pod
 * speaks for its own node.
 */
export function podMetadata(request: PodRequest, layoutReason?: string): ObjectMeta {
  const { workflow, spec, template, config, node, podName, onExit, trace } = request;
  return {
    name: podName,
    namespace: workflow.namespace,
    labels: {
      [LABEL.completed]: "false",
      ...(onExit ? { [LABEL.onExit]: "true" } : {}),
      ...(config.instanceId ? { [LABEL.instanceId]: config.instanceId } : {}),
      ...spec.podMetadata?.labels,
      ...template.metadata?.labels,
      [LABEL.workflow]: workflow.name,
    },
    annotations: {
      ...podGcAnnotation(request),
      ...(layoutReason ? { [ANNOTATION.layoutReason]: layoutReason } : {}),
      ...spec.podMetadata?.annotations,
      ...template.metadata?.annotations,
      [ANNOTATION.nodeName]: node.name,
      [ANNOTATION.nodeId]: node.id,
      ...(trace ? { [ANNOTATION.traceId]: trace.traceId, [ANNOTATION.spanId]: trace.spanId } : {}),
    },
    ownerReferences: [workflowOwner(request)],
    ...(config.statusFinalizer ? { finalizers: [FINALIZER.podStatus] } : {}),
  };
}

/** The container that `kubectl logs` and `exec` take when none is named: main, else the last one. */
export function defaultContainer(pod: Pod): string {
  const names = pod.spec.containers.map(({ name }) => name);
  return names.includes(CONTAINER.main) ? CONTAINER.main : names.at(-1)!;
}

/** Adds the annotation about the default container, unless the user chose another. */
export function annotateDefaultContainer(pod: Pod): void {
  const annotations = pod.metadata.annotations ??= {};
  annotations[ANNOTATION.defaultContainer] ??= defaultContainer(pod);
}

/** The workflow as controller of an object made for it. */
export function workflowOwner({ workflow }: PodRequest): OwnerReference {
  return {
    apiVersion: API_VERSION,
    kind: "Workflow",
    name: workflow.name,
    uid: workflow.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The pod tells its own fate, so that a pod without a workflow can still be cleaned up. */
function podGcAnnotation({ spec, config }: PodRequest): Record<string, string> {
  if (!spec.podGC) return {};
  const delay = podGcDelay(spec.podGC) ?? parseArgoDuration(config.podGcDelay ?? DEFAULT_POD_GC_DELAY);
  return { [ANNOTATION.podGcStrategy]: `${spec.podGC.strategy ?? ""}/${formatDuration(delay)}` };
}
