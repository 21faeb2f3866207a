import type { KubeClient } from "@tiphys/kube";
import { releasePod } from "../apply/release_pod.ts";
import { listHeldPods, type Scope } from "./list_held_pods.ts";

/**
 * Removes the finalizer from every pod that has it, before the controller is removed. Resolves to their number.
 * @throws {KubeError} when the API server refuses. Pods that were released stay so, and the call may be repeated.
 */
export async function releaseAllPods(client: KubeClient, scope: Scope): Promise<number> {
  let count = 0;
  for await (const pod of listHeldPods(client, scope)) {
    await releasePod(client, pod, { completed: false });
    count++;
  }
  return count;
}
