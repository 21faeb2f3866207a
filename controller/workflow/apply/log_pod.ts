/** Logging of pods, if `podSpecLogStrategy` enables it. */
import type { Pod, Workflow } from "@tiphys/model/api";
import { ENV } from "@tiphys/base/constants";
import { keyOf } from "@tiphys/kube";
import type { ActionContext } from "./action_context.ts";

/** Logs a pod as one line, without the key of its report, which readers of logs must not see. */
export function logPod(
  { log }: ActionContext,
  workflow: Workflow,
  { nodeId, pod }: { readonly nodeId: string; readonly pod: Pod },
): void {
  const spec = JSON.stringify(pod, (key, value) => key === "env" && Array.isArray(value) ? withoutKeys(value) : value);
  log.info("Pod Spec", { workflow: keyOf(workflow), nodeID: nodeId, podName: pod.metadata.name, spec });
}

function withoutKeys(variables: readonly { readonly name?: unknown }[]): unknown[] {
  return variables.filter((variable) => variable?.name !== ENV.reportKey);
}
