/** Names, labels and annotations of a pod. */
import type { ObjectMeta, OwnerReference, Pod } from "@tiphys/model/api";
import { ANNOTATION, API_VERSION, CONTAINER, FINALIZER, LABEL } from "@tiphys/base/constants";
import { formatDuration, parseArgoDuration } from "@tiphys/base/go/duration";
import { podGcDelay } from "../pod_gc_delay.ts";
import type { PodRequest } from "../request.ts";

const DEFAULT_POD_GC_DELAY = "5s";

/**
 * Metadata of the pod, with the reason for its layout if there is one. Labels and annotations of users take precedence,
 * except over those that identify the pod's workflow and node.
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

/** The default container of `kubectl logs` and `kubectl exec`: main, otherwise the last one. */
export function defaultContainer(pod: Pod): string {
  const names = pod.spec.containers.map(({ name }) => name);
  return names.includes(CONTAINER.main) ? CONTAINER.main : names.at(-1)!;
}

/** Adds the annotation with the default container, unless the user set it. */
export function annotateDefaultContainer(pod: Pod): void {
  const annotations = pod.metadata.annotations ??= {};
  annotations[ANNOTATION.defaultContainer] ??= defaultContainer(pod);
}

/** The owner reference of objects created for the workflow, with the workflow as controller. */
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

/** Stores the pod's garbage collection in an annotation, so that a pod without a workflow can still be cleaned up. */
function podGcAnnotation({ spec, config }: PodRequest): Record<string, string> {
  if (!spec.podGC) return {};
  const delay = podGcDelay(spec.podGC) ?? parseArgoDuration(config.podGcDelay ?? DEFAULT_POD_GC_DELAY);
  return { [ANNOTATION.podGcStrategy]: `${spec.podGC.strategy ?? ""}/${formatDuration(delay)}` };
}
