/** Listing of the pods that have the controller's finalizer, page by page. */
import { type Pod, readPod } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { type KubeClient, PODS } from "@tiphys/kube";
import { hasStatusFinalizer } from "@tiphys/engine";
import { ownSelector } from "../../loop/own_selector.ts";

/** The namespace and the instance ID of the pods. */
export interface Scope {
  /** The namespace; all of them if absent. */
  readonly namespace?: string | undefined;
  readonly instanceId?: string | undefined;
}

const PAGE = 500;

/**
 * Reads all pods with the controller's finalizer from the API server, page by page, whatever their other labels are.
 */
export async function* listHeldPods(client: KubeClient, { namespace, instanceId }: Scope): AsyncGenerator<Pod> {
  const labelSelector = `${LABEL.workflow},${ownSelector(instanceId)}`;
  let next: string | undefined;
  do {
    const page = await client.list(PODS, namespace, { labelSelector, limit: PAGE, continue: next });
    yield* page.items.map(readPod).filter(hasStatusFinalizer);
    next = page.metadata.continue;
  } while (next);
}
