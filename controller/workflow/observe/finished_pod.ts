/** Pods in the local copy: of one whose end is recorded only what is still asked of it, so that thousands take little memory. */
import type { Pod } from "../../../lib/api/mod.ts";
import { FINALIZER, LABEL } from "../../../lib/constants.ts";
import { Kept } from "../../../lib/kept.ts";

type PodContainer = Pod["spec"]["containers"][number];
type ContainerStatus = NonNullable<NonNullable<Pod["status"]>["containerStatuses"]>[number];

/** What the containers of pods asked for, by its text: pods of a template ask for the same, of which one copy is enough. */
const asked = new Kept<PodContainer[]>({ entries: 1000, size: 1_000_000 });

/**
 * The pod as the copy keeps it: whole until its end is in the status of its workflow and it was let go. After that nobody
 * stops it, runs anything in it, or reads a report by its key.
 */
export function podAsKept(pod: Pod): Pod {
  const { metadata, spec } = pod;
  if (metadata.labels?.[LABEL.completed] !== "true" || metadata.finalizers?.includes(FINALIZER.podStatus)) return pod;
  const { nodeName, containers, initContainers } = spec;
  const { containerStatuses, initContainerStatuses } = pod.status ?? {};
  return {
    ...pod,
    spec: {
      containers: asKeptOnce(containers),
      ...(initContainers && { initContainers: asKeptOnce(initContainers) }),
      ...(nodeName !== undefined && { nodeName }),
    },
    ...(pod.status && {
      status: {
        ...pod.status,
        ...(containerStatuses && { containerStatuses: containerStatuses.map(statusAsKept) }),
        ...(initContainerStatuses && { initContainerStatuses: initContainerStatuses.map(statusAsKept) }),
      },
    }),
  };
}

/** The containers as they are kept: the very same list for pods whose containers asked for the same. */
function asKeptOnce(containers: readonly PodContainer[]): PodContainer[] {
  const kept = containers.map(containerAsKept);
  const text = JSON.stringify(kept);
  const known = asked.get(text);
  if (!known) asked.set(text, kept);
  return known ?? kept;
}

/**
 * How a container ended, without the names of its image and of itself on its machine. Its own name stays where nothing else
 * says that it was started.
 */
function statusAsKept(
  { image: _, imageID: _id, containerID, ...status }: ContainerStatus,
): ContainerStatus {
  const saysStarted = status.state?.terminated?.startedAt;
  return { ...status, ...(containerID && !saysStarted && { containerID }) } as ContainerStatus;
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
