/** The warning on a binding whose event could not be dispatched. */
import { API_VERSION } from "@tiphys/base/constants";
import { classifyError, EVENTS, type KubeObject } from "@tiphys/kube";
import { timeText } from "@tiphys/model/status";
import type { ServerContext } from "../served.ts";

const MAX_MESSAGE_LENGTH = 1024;
const SOURCE = "workflow-server";

/** Records a warning as a Kubernetes event. A failure is only logged. */
export async function recordWarning(
  { client, log, now }: Pick<ServerContext, "client" | "log" | "now">,
  binding: KubeObject,
  message: string,
) {
  const { name, namespace, uid, resourceVersion } = binding.metadata;
  const time = timeText(now());
  try {
    await client.create(EVENTS, namespace, {
      apiVersion: "v1",
      kind: "Event",
      metadata: { generateName: `${name}.`, namespace },
      involvedObject: { apiVersion: API_VERSION, kind: "WorkflowEventBinding", name, namespace, uid, resourceVersion },
      type: "Warning",
      reason: "WorkflowEventBindingError",
      message: message.slice(0, MAX_MESSAGE_LENGTH),
      source: { component: SOURCE },
      reportingComponent: SOURCE,
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    });
  } catch (error) {
    if (classifyError(error) !== "notFound") log.warn("Failed to record an event", { error: String(error) });
  }
}
