/**
 * Pods in the local copy: once the end is recorded, only the fields that are still needed, so that thousands take
 * little memory.
 */
import type { Pod } from "@tiphys/model/api";
import { FINALIZER, LABEL } from "@tiphys/base/constants";
import { sharedPart, withSharedTexts } from "./shared_parts.ts";

type PodContainer = Pod["spec"]["containers"][number];
type ContainerStatus = NonNullable<NonNullable<Pod["status"]>["containerStatuses"]>[number];

/**
 * The pod as the copy stores it: whole until its end is in the status of its workflow and it was released. After that
 * nothing stops it, runs a command in it, or reads a report by its key.
 */
export function retainedPod(pod: Pod): Pod {
  const { metadata, spec } = pod;
  if (metadata.labels?.[LABEL.completed] !== "true" || metadata.finalizers?.includes(FINALIZER.podStatus)) return pod;
  const { nodeName, containers, initContainers } = spec;
  const { ownerReferences } = metadata;
  const { conditions, containerStatuses, initContainerStatuses } = pod.status ?? {};
  return withSharedTexts({
    ...pod,
    // The pods of a workflow have the same owner.
    ...(ownerReferences && { metadata: { ...metadata, ownerReferences: sharedPart(ownerReferences) } }),
    // Pods of a template have the same requests.
    spec: sharedPart({
      containers: containers.map(retainedContainer),
      ...(initContainers && { initContainers: initContainers.map(retainedContainer) }),
      ...(nodeName !== undefined && { nodeName }),
    }),
    ...(pod.status && {
      status: {
        ...pod.status,
        ...(conditions && { conditions: sharedPart(conditions) }),
        ...(containerStatuses && { containerStatuses: containerStatuses.map(retainedStatus) }),
        ...(initContainerStatuses && { initContainerStatuses: initContainerStatuses.map(retainedStatus) }),
      },
    }),
  });
}

/**
 * The end of a container, without its IDs on its machine. The container's own name is kept if nothing else shows that
 * it was started.
 */
function retainedStatus(
  { image: _, imageID: _id, containerID, ...status }: ContainerStatus,
): ContainerStatus {
  const saysStarted = status.state?.terminated?.startedAt;
  return { ...status, ...(containerID && !saysStarted && { containerID }) } as ContainerStatus;
}

/**
 * Keeps the name of a container, by which its status is found, and the fields from which its resource duration is
 * computed.
 */
function retainedContainer(container: PodContainer & { readonly restartPolicy?: string }): PodContainer {
  const { name, image, resources, restartPolicy } = container;
  return {
    name,
    ...(image !== undefined && { image }),
    ...(resources && { resources }),
    ...(restartPolicy !== undefined && { restartPolicy }),
  };
}
