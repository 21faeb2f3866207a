/** Pods without a worker: pods of an earlier kubelet, which ended with it, and pods that cannot be read. */
import type { ContainerStatus, Pod } from "@tiphys/model/api";
import { NODE_SHUTDOWN } from "@tiphys/base/constants";
import { classifyError, type KubeClient, PODS } from "@tiphys/kube";
import { ATTEMPTS, namesIn } from "./attempt_folders.ts";
import { retryForever } from "./retry_forever.ts";
import { removeTree } from "../image/remove_tree.ts";

/** The reason and message of a pod that ended with its kubelet. */
export const KUBELET_STOPPED = { reason: NODE_SHUTDOWN, message: "The process that ran the pod has ended" } as const;

/**
 * Reports whether an earlier kubelet may have started a container of the pod. The API server may not know about it, but
 * the log always exists, because it is created before the container.
 */
export function mayHaveRun(pod: Pod, folder: string): boolean {
  const statuses = [...pod.status?.initContainerStatuses ?? [], ...pod.status?.containerStatuses ?? []];
  return statuses.some(({ containerID }) => containerID) || listAttempts(folder).some((path) => path.endsWith(".log"));
}

/** Reports that a pod ended with its kubelet. */
export async function reportLost(client: KubeClient, pod: Pod, now: string): Promise<void> {
  const { namespace, name = "", uid } = pod.metadata;
  const message = "The container could not be located when the pod was terminated";
  const lost = { exitCode: 137, reason: "ContainerStatusUnknown", message, finishedAt: now };
  const ended = (status: ContainerStatus): ContainerStatus =>
    status.state?.terminated ? status : {
      ...status,
      ready: false,
      started: false,
      state: { terminated: { ...lost, startedAt: status.state?.running?.startedAt ?? now } },
    };
  const { containerStatuses, initContainerStatuses } = pod.status ?? {};
  const status = {
    phase: "Failed",
    ...KUBELET_STOPPED,
    ...(initContainerStatuses && { initContainerStatuses: initContainerStatuses.map(ended) }),
    ...(containerStatuses && { containerStatuses: containerStatuses.map(ended) }),
  };
  await client.patch(PODS, namespace, name, { metadata: { uid }, status }, "merge", { subresource: "status" });
}

/** Reports that a pod cannot be parsed: it fails without being started. */
export async function reportUnreadable(client: KubeClient, { metadata }: Pod, message: string): Promise<void> {
  const { namespace, name = "", uid } = metadata;
  const status = { phase: "Failed", reason: "Unreadable", message, containerStatuses: [], initContainerStatuses: [] };
  await client.patch(PODS, namespace, name, { metadata: { uid }, status }, "merge", { subresource: "status" });
}

/** Reports that nothing of a deleted pod is running, so that the API server removes it. */
export async function confirmDeletion(
  client: KubeClient,
  pod: Pod,
  signal: AbortSignal,
  onError: (subject: string, error: unknown) => void,
): Promise<void> {
  const { namespace, name = "", uid } = pod.metadata;
  const fail = (error: unknown) => onError(`delete pod ${name}`, error);
  try {
    await retryForever(() => client.delete(PODS, namespace, name, { uid, gracePeriodSeconds: 0 }), signal, fail);
  } catch (error) {
    if (!["notFound", "conflict"].includes(classifyError(error))) fail(error);
  }
}

/** Removes the leftovers of an earlier kubelet, except for logs. Must be called before anything runs. */
export async function removeLeftovers(pods: string): Promise<void> {
  for (const { name } of Deno.readDirSync(pods)) {
    const folder = `${pods}/${name}`;
    const kept = listAttempts(folder).filter((path) => /\.(log(\.\d)?|message)$/.test(path));
    if (kept.length === 0) {
      await removeTree(folder);
      continue;
    }
    for (const attempt of listAttempts(folder)) if (!kept.includes(attempt)) await removeTree(attempt);
    for (const part of ["volumes", "files"]) await removeTree(`${folder}/${part}`);
  }
}

/** Removes the folders of pods that no longer exist. */
export async function removeFoldersOfDeletedPods(pods: string, existingPods: Iterable<Pod>): Promise<void> {
  const uids = new Set(Array.from(existingPods, ({ metadata }) => metadata.uid));
  for (const { name } of Deno.readDirSync(pods)) if (!uids.has(name)) await removeTree(`${pods}/${name}`);
}

/** The paths that attempts of a pod's containers left: logs, messages, and folders of running attempts. */
function listAttempts(folder: string): string[] {
  return namesIn(`${folder}/${ATTEMPTS}`).flatMap((place) =>
    namesIn(`${folder}/${ATTEMPTS}/${place}`).map((name) => `${folder}/${ATTEMPTS}/${place}/${name}`)
  );
}
