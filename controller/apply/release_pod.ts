/** Taking our finalizer off pods: the one place that does it, whoever decided it (spec/pods 6.7, 6.10). */
import type { Pod } from "../../lib/api/mod.ts";
import { FINALIZER, LABEL } from "../../lib/constants.ts";
import { type KubeClient, PODS, sortError } from "../../lib/kube/mod.ts";

/** What else the same patch says. */
export interface Release {
  /** The pod is done with. */
  readonly completed: boolean;
}

/** Each conflict means that somebody else wrote; nobody writes this often. */
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
      const { metadata } = await client.patch<Pod>(PODS, namespace, name!, patch, "merge", { answer: "metadata" });
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

/** Releases a pod and deletes it: this very pod, not a namesake. One that is gone is success. */
export async function deletePod(client: KubeClient, pod: Pod, gracePeriodSeconds?: number): Promise<void> {
  const { namespace, name, uid } = pod.metadata;
  await releasePod(client, pod, { completed: false });
  try {
    await client.delete(PODS, namespace, name!, { uid, propagationPolicy: "Background", gracePeriodSeconds });
  } catch (error) {
    const sort = sortError(error);
    if (sort !== "notFound" && sort !== "conflict") throw error;
  }
}

function releaseOf(pod: Pod, completed: boolean): Record<string, unknown> | undefined {
  const { finalizers = [], labels, resourceVersion } = pod.metadata;
  const labelled = labels?.[LABEL.completed] === "true";
  const change = completed && !labelled ? { labels: { [LABEL.completed]: "true" } } : undefined;
  if (!finalizers.includes(FINALIZER.podStatus)) return change;
  const others = finalizers.filter((finalizer) => finalizer !== FINALIZER.podStatus);
  return { ...change, finalizers: others, resourceVersion };
}

async function podIfThere(client: KubeClient, namespace: string | undefined, name: string): Promise<Pod | undefined> {
  try {
    return await client.get<Pod>(PODS, namespace, name);
  } catch (error) {
    if (sortError(error) === "notFound") return undefined;
    throw error;
  }
}
