/** Selects the finished workflows that exceed `retentionPolicy`. It is pure. */
import { LABEL } from "@tiphys/base/constants";
import type { KubeObject } from "@tiphys/kube";

/** The number of finished workflows to keep per phase; 0 if it is not set. */
export interface RetentionPolicy {
  readonly completed?: number | undefined;
  readonly failed?: number | undefined;
  readonly errored?: number | undefined;
}

/**
 * Returns the workflows to delete, oldest first: of each phase all but the newest by creation time, over all
 * namespaces. Workflows that are being deleted or wait to be archived are neither counted nor returned.
 */
export function surplusWorkflows<W extends Pick<KubeObject, "metadata">>(
  policy: RetentionPolicy,
  workflows: Iterable<W>,
): W[] {
  const kept: Readonly<Record<string, number>> = {
    Succeeded: policy.completed ?? 0,
    Failed: policy.failed ?? 0,
    Error: policy.errored ?? 0,
  };
  const finished = [...workflows].filter(isDone).toSorted(byAge);
  return Object.entries(kept).flatMap(([phase, limit]) => {
    const ofPhase = finished.filter(({ metadata }) => metadata.labels?.[LABEL.phase] === phase);
    return ofPhase.slice(0, Math.max(0, ofPhase.length - limit));
  });
}

/** Whether a workflow needs no more processing before it may be deleted. */
export function isDone({ metadata: { labels, deletionTimestamp } }: Pick<KubeObject, "metadata">): boolean {
  return labels?.[LABEL.completed] === "true" && labels[LABEL.archivingStatus] !== "Pending" && !deletionTimestamp;
}

/** Orders workflows by age; those created in the same second by UID, so that the order is stable. */
function byAge(a: Pick<KubeObject, "metadata">, b: Pick<KubeObject, "metadata">): number {
  return compare(a.metadata.creationTimestamp, b.metadata.creationTimestamp) || compare(a.metadata.uid, b.metadata.uid);
}

function compare(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
