import type { Workflow } from "../../lib/api/mod.ts";
import { API_VERSION } from "../../lib/constants.ts";
import { type Action, formatTime } from "../engine/mod.ts";

/** The longest message that the API server takes. */
const MAX_MESSAGE = 1024;

/** An Event object about a workflow that has no name yet. */
export type NewEvent = ReturnType<typeof eventOf>;

/** The event object of an event about a workflow. */
export function eventOf(workflow: Workflow, action: Extract<Action, { kind: "event" }>, at: Date) {
  const { name, namespace, uid, resourceVersion } = workflow.metadata;
  const time = formatTime(at);
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      generateName: `${name}.`,
      namespace,
      ...(action.annotations ? { annotations: action.annotations } : {}),
    },
    involvedObject: { apiVersion: API_VERSION, kind: "Workflow", name, namespace, uid, resourceVersion },
    reason: action.reason,
    message: action.message.slice(0, MAX_MESSAGE),
    type: action.type,
    source: { component: "workflow-controller" },
    reportingComponent: "workflow-controller",
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
}
