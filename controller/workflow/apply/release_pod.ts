/** The release of pods, which removes the controller's finalizer. All releases are made here. */
import { type Pod, readPod } from "@tiphys/model/api";
import { FINALIZER, LABEL } from "@tiphys/base/constants";
import { classifyError, type KubeClient, PODS } from "@tiphys/kube";
import { isServerSideApplied, NO_FIELD_OWNERS } from "@tiphys/kube/informers";

/** The other change in the patch that removes the finalizer from a pod. */
export interface PodReleasePatch {
  /** Whether the pod is labeled as completed. */
  readonly completed: boolean;
}

/** The maximum number of conflicts: each means that another client wrote, and no client writes this often. */
const MAX_CONFLICTS = 8;

/**
 * Removes the finalizer from a pod, whether or not new pods get one, in one patch on the version that was read. A pod
 * that is gone, or another one of its name, is left unchanged. If there is nothing to change, no request is sent.
 * @returns the pod as it was written, if it was.
 * @throws {KubeError} when the API server is not available or refuses.
 */
export async function releasePod(
  client: KubeClient,
  pod: Pod,
  { completed }: PodReleasePatch,
): Promise<Pod | undefined> {
  const { namespace, name, uid } = pod.metadata;
  let current = pod;
  for (let conflicts = 0;;) {
    const change = releaseOf(current, completed);
    if (!change) return undefined;
    try {
      const patch = { metadata: { ...change, uid } };
      const { metadata } = await client.patch(PODS, namespace, name!, patch, "merge", { answer: "metadata" });
      return { ...current, metadata };
    } catch (error) {
      const sort = classifyError(error);
      if (sort === "notFound") return undefined;
      if (sort !== "conflict" || ++conflicts > MAX_CONFLICTS) throw error;
    }
    const next = await readPodIfExists(client, namespace, name!);
    if (next?.metadata.uid !== uid) return undefined;
    current = next!;
  }
}

/**
 * Releases and deletes exactly this pod in exactly this version. A pod that is gone counts as a success.
 * @throws {KubeError} a conflict when it has changed: decide again.
 */
export async function deletePod(client: KubeClient, pod: Pod, gracePeriodSeconds?: number): Promise<void> {
  const { namespace, name, uid } = pod.metadata;
  const { resourceVersion } = (await releasePod(client, pod, { completed: false }) ?? pod).metadata;
  const preconditions = { uid, resourceVersion };
  try {
    await client.delete(PODS, namespace, name!, {
      ...preconditions,
      propagationPolicy: "Background",
      gracePeriodSeconds,
    });
  } catch (error) {
    const sort = classifyError(error);
    if (sort === "notFound") return;
    if (sort !== "conflict" || (await readPodIfExists(client, namespace, name!))?.metadata.uid === uid) throw error;
  }
}

/**
 * Releases and deletes an unneeded pod at once, even if it has changed, because the scheduler and the kubelet write
 * to it at the same time. Another pod of its name is left unchanged; one that is gone is a success.
 * @throws {KubeError} when the API server is not available or refuses.
 */
export async function discardPod(client: KubeClient, pod: Pod): Promise<void> {
  const { namespace, name, uid } = pod.metadata;
  await releasePod(client, pod, { completed: false });
  try {
    await client.delete(PODS, namespace, name!, { uid, propagationPolicy: "Background", gracePeriodSeconds: 0 });
  } catch (error) {
    const sort = classifyError(error);
    if (sort === "notFound") return;
    if (sort !== "conflict" || (await readPodIfExists(client, namespace, name!))?.metadata.uid === uid) throw error;
  }
}

function releaseOf(pod: Pod, completed: boolean): Record<string, unknown> | undefined {
  const { finalizers = [], labels, resourceVersion } = pod.metadata;
  const labelled = labels?.[LABEL.completed] === "true";
  const change = completed && !labelled ? { labels: { [LABEL.completed]: "true" } } : undefined;
  if (!finalizers.includes(FINALIZER.podStatus)) return change;
  const others = finalizers.filter((finalizer) => finalizer !== FINALIZER.podStatus);
  const owners = isServerSideApplied(pod.metadata) ? {} : { managedFields: NO_FIELD_OWNERS };
  return { ...change, ...owners, finalizers: others, resourceVersion };
}

async function readPodIfExists(
  client: KubeClient,
  namespace: string | undefined,
  name: string,
): Promise<Pod | undefined> {
  try {
    return readPod(await client.get(PODS, namespace, name));
  } catch (error) {
    if (classifyError(error) === "notFound") return undefined;
    throw error;
  }
}
