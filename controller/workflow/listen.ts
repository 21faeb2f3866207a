/** Changes in the local copies, and the parts that are notified of a changed workflow, pod, report or task set. */
import type { Pod } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { keyOf, type KubeObject } from "@tiphys/kube";
import type { Loop } from "../loop/loop.ts";
import type { Throttle } from "../loop/throttle.ts";
import type { Terminator } from "./apply/terminator.ts";
import { hasStatusFinalizer, isDeleting } from "@tiphys/engine";
import { limitCandidate } from "./kind.ts";
import type { KnownWorkflows } from "./known_workflow.ts";
import type { Caches } from "./observe/caches.ts";
import { isReduced } from "./observe/finished.ts";
import type { Orphans } from "./orphans/orphans.ts";

/** The parts of the controller that are notified of changes, and the state of workflows. */
export interface Listeners {
  readonly knownWorkflows: Pick<KnownWorkflows, "get">;
  readonly loop: Pick<Loop, "add" | "forget">;
  readonly throttle: Pick<Throttle, "recordState" | "forget">;
  readonly orphans: Pick<Orphans, "onPod">;
  readonly terminator: Pick<Terminator, "recheckPod">;
}

/**
 * Connects the parts that are notified of changes. The limits come first and see all workflows, because the running
 * ones decide which may start.
 */
export function listen(
  caches: Pick<Caches, "workflows" | "pods" | "podsOf" | "taskSets" | "taskResults">,
  { knownWorkflows, loop, throttle, orphans, terminator }: Listeners,
): void {
  caches.workflows.onChange((type, workflow) => {
    if (type === "deleted") throttle.forget(keyOf(workflow));
    else throttle.recordState(...limitCandidate(workflow));
  });
  caches.workflows.onChange((type, workflow) => {
    if (type === "deleted") loop.forget(keyOf(workflow));
    loop.add(keyOf(workflow));
    if (type !== "deleted" && !workflow.metadata.deletionTimestamp) return;
    for (const pod of caches.podsOf(keyOf(workflow))) orphans.onPod(pod);
  });
  const addOwner = (object: Pick<Pod, "metadata"> | KubeObject, urgent: boolean) => {
    const workflow = object.metadata.labels?.[LABEL.workflow];
    if (workflow) loop.add(`${object.metadata.namespace}/${workflow}`, { urgent });
  };
  caches.pods.onChange((_type, pod) => {
    terminator.recheckPod(pod);
    orphans.onPod(pod);
    addOwner(pod, hasStatusFinalizer(pod) && isDeleting(pod));
  });
  caches.taskSets.onChange((_type, set) => loop.add(keyOf(set)));
  caches.taskResults.onChange((type, result) => {
    if (type !== "deleted" || !isReleased(caches, knownWorkflows, result)) addOwner(result, false);
  });
}

/**
 * Whether the workflow of a report has finished and is released: the deletion of its reports, which the controller
 * requested, does not matter.
 */
function isReleased(
  caches: Pick<Caches, "workflows">,
  knownWorkflows: Listeners["knownWorkflows"],
  { metadata: { namespace, labels } }: KubeObject,
): boolean {
  const key = `${namespace}/${labels?.[LABEL.workflow]}`;
  const workflow = caches.workflows.get(key);
  return workflow !== undefined && isReduced(workflow) && knownWorkflows.get(key) === undefined;
}
