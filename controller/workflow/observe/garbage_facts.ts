/** Facts about the pods that delete artifacts of a workflow. Nothing is read for a workflow without such pods. */
import type { Pod } from "@tiphys/model/api";
import { ARTIFACT_GC_COMPONENT, LABEL } from "@tiphys/base/constants";
import { type GarbageFacts, type GarbageReport, hasGarbageFinalizer } from "@tiphys/engine/garbage";
import type { Caches } from "./caches.ts";

/** The outcomes of creating such pods that no watch shows. */
export interface KnownCollectors {
  /** The pods as they were created, by name. */
  readonly collectors: ReadonlyMap<string, Pod>;
  readonly collectorReports: ReadonlyMap<string, GarbageReport>;
}

/** The facts about a workflow that is kept for its garbage; undefined for all others. */
export function garbageFacts(
  caches: { readonly podsOf: Caches["podsOf"]; readonly pods: Pick<Caches["pods"], "hasSeen"> },
  { collectors, collectorReports }: KnownCollectors,
  key: string,
  workflow: { readonly metadata: { readonly finalizers?: readonly string[] } },
): GarbageFacts | undefined {
  if (!hasGarbageFinalizer(workflow)) return undefined;
  const pods = new Map<string, Pod>();
  const vanished = new Map<string, Pod>();
  for (const pod of caches.podsOf(key)) {
    if (pod.metadata.labels?.[LABEL.component] === ARTIFACT_GC_COMPONENT) pods.set(pod.metadata.name!, pod);
  }
  for (const [name, pod] of collectors) {
    if (pods.has(name)) continue;
    const isShown = caches.pods.hasSeen(pod.metadata.resourceVersion ?? "0");
    (isShown ? vanished : pods).set(name, pod);
  }
  return { pods, vanished, reports: collectorReports };
}
