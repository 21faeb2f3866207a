import type { KubeClient } from "@tiphys/kube";
import { releasePod } from "../apply/release_pod.ts";
import { listHeldPods, type Scope } from "./list_held_pods.ts";

/**
 * Takes our finalizer off every pod that has it: for the time when no controller will. Resolves to how many there were.
 * @throws {KubeError} when the API server refuses; what was let go stays so, and it can be asked again.
 */
export async function releaseAllPods(client: KubeClient, scope: Scope): Promise<number> {
  let count = 0;
  for await (const pod of listHeldPods(client, scope)) {
    await releasePod(client, pod, { completed: false });
    count++;
  }
  return count;
}
