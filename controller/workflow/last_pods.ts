/** The last pods of finished workflows: they end, are released and reported after their workflow. */
import type { Pod } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { keyOf } from "@tiphys/kube";
import { hasStatusFinalizer } from "@tiphys/engine";
import type { Caches } from "./observe/caches.ts";

/** Whether the workflow of the pod exists and has finished. */
export type FinishedWorkflowTest = (pod: Pod) => boolean;

/** Resolves when every pod of a finished workflow is released or gone, or when the signal is aborted. */
export async function awaitLastPods(
  { pods }: { readonly pods: Pick<Caches["pods"], "onChange"> },
  isOfFinishedWorkflow: FinishedWorkflowTest,
  until: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const awaited = new Set<string>();
  let hasSeenAll = false;
  const look = () => {
    if (hasSeenAll && awaited.size === 0 || until.aborted) resolve();
  };
  pods.onChange((type, pod) => {
    const isReleased = pod.metadata.labels?.[LABEL.completed] === "true" && !hasStatusFinalizer(pod);
    if (type === "deleted" || isReleased || !isOfFinishedWorkflow(pod)) awaited.delete(keyOf(pod));
    else awaited.add(keyOf(pod));
    look();
  });
  hasSeenAll = true;
  until.addEventListener("abort", look, { once: true });
  look();
  await promise;
  until.removeEventListener("abort", look);
}
