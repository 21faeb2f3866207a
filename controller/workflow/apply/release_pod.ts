/** Taking our finalizer off pods: the one place that does it, whoever decided it. */
import { type Pod, readPod } from "@tiphys/model/api";
import { FINALIZER, LABEL } from "@tiphys/base/constants";
import { isServerSideApplied, type KubeClient, NO_FIELD_OWNERS, PODS, sortError } from "@tiphys/kube";

/** The other change of the patch that takes our finalizer off a pod. */
export interface Release {
  /** The pod is done with. */
  readonly completed: boolean;
}

/** The most conflicts: each means that somebody else wrote, and nobody writes this often. */
const MAX_CONFLICTS = 8;

/**
 * Takes our finalizer off a pod, whether or not new pods get one, in one patch on the version that was read. A pod that
 * is gone, or another one under its name, is left alone. Without anything to change nothing is sent.
 * @returns the pod as it was written, if it was.
 * @throws {KubeError} when the API server cannot be asked or refuses.
 */
export async function releasePod(client: KubeClient, pod: Pod, { completed }: Release): Promise<Pod | undefined> {
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
      const sort = sortError(error);
      if (sort === "notFound") return undefined;
      if (sort !== "conflict" || ++conflicts > MAX_CONFLICTS) throw error;
    }
    const next = await podIfThere(client, namespace, name!);
    if (next?.metadata.uid !== uid) return undefined;
    current = next!;
  }
}

/**
 * Releases a pod and deletes it: this very pod, not a namesake, and as it was seen. One that is gone is success.
 * @throws {KubeError} a conflict when it changed meanwhile: what is to become of it is to be decided anew.
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
    const sort = sortError(error);
    if (sort === "notFound") return;
    if (sort !== "conflict" || (await podIfThere(client, namespace, name!))?.metadata.uid === uid) throw error;
  }
}

/**
 * Releases and deletes at once a pod that is good for nothing, whatever became of it since it was read: the scheduler and
 * the kubelet write to it meanwhile. A namesake is left alone; one that is gone is success.
 * @throws {KubeError} when the API server cannot be asked or refuses.
 */
export async function discardPod(client: KubeClient, pod: Pod): Promise<void> {
  const { namespace, name, uid } = pod.metadata;
  await releasePod(client, pod, { completed: false });
  try {
    await client.delete(PODS, namespace, name!, { uid, propagationPolicy: "Background", gracePeriodSeconds: 0 });
  } catch (error) {
    const sort = sortError(error);
    if (sort === "notFound") return;
    if (sort !== "conflict" || (await podIfThere(client, namespace, name!))?.metadata.uid === uid) throw error;
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

async function podIfThere(client: KubeClient, namespace: string | undefined, name: string): Promise<Pod | undefined> {
  try {
    return readPod(await client.get(PODS, namespace, name));
  } catch (error) {
    if (sortError(error) === "notFound") return undefined;
    throw error;
  }
}
