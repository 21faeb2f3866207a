/** Pods in the local copy: of one whose end is recorded only what is still asked of it, so that thousands take little memory. */
import type { Pod } from "../../../lib/api/mod.ts";
import { FINALIZER, LABEL } from "../../../lib/constants.ts";

type PodContainer = Pod["spec"]["containers"][number];

/**
 * The pod as the copy keeps it: whole until its end is in the status of its workflow and it was let go. After that nobody
 * stops it, runs anything in it, or reads a report by its key.
 */
export function podAsKept(pod: Pod): Pod {
  const { metadata, spec } = pod;
  if (metadata.labels?.[LABEL.completed] !== "true" || metadata.finalizers?.includes(FINALIZER.podStatus)) return pod;
  const { nodeName, containers, initContainers } = spec;
  return {
    ...pod,
    spec: {
      containers: containers.map(containerAsKept),
      ...(initContainers && { initContainers: initContainers.map(containerAsKept) }),
      ...(nodeName !== undefined && { nodeName }),
    },
  };
}

/** A container's status is found by its name, and its duration is weighed by the rest. */
function containerAsKept(container: PodContainer & { readonly restartPolicy?: string }): PodContainer {
  const { name, image, resources, restartPolicy } = container;
  return {
    name,
    ...(image !== undefined && { image }),
    ...(resources && { resources }),
    ...(restartPolicy !== undefined && { restartPolicy }),
  };
}
