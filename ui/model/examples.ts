/** Examples with which forms start. */
import type { Workflow } from "@tiphys/model/api";
import type { EventList, TemplateKind } from "../api/source.ts";

const API_VERSION = "argoproj.io/v1alpha1";

const SPEC = {
  entrypoint: "main",
  templates: [{
    name: "main",
    container: { image: "busybox:1.37", command: ["echo"], args: ["hello world"] },
  }],
};

/** The example for the first run of an installation. */
export const HELLO_WORLD = {
  apiVersion: API_VERSION,
  kind: "Workflow",
  metadata: { generateName: "hello-world-", labels: { "submit-from-ui": "true" } },
  spec: SPEC,
} as Workflow;

/** Returns the initial text of the editor, for a run or a kind of template. */
export function exampleOf(kind: "Workflow" | TemplateKind, namespace: string): Readonly<Record<string, unknown>> {
  const where = kind === "ClusterWorkflowTemplate" || namespace === "" ? {} : { namespace };
  const metadata = kind === "Workflow" ? { generateName: "hello-world-", ...where } : { name: "hello-world", ...where };
  const spec = kind === "CronWorkflow"
    ? { schedules: ["0 3 * * *"], timezone: "Europe/Berlin", workflowSpec: SPEC }
    : SPEC;
  return { apiVersion: API_VERSION, kind, metadata, spec };
}

const EVENTS = {
  "workflow-event-bindings": {
    kind: "WorkflowEventBinding",
    spec: { event: { selector: "true" }, submit: { workflowTemplateRef: { name: "hello-world" } } },
  },
  "event-sources": {
    kind: "EventSource",
    spec: { webhook: { example: { port: "12000", endpoint: "/", method: "POST" } } },
  },
  sensors: {
    kind: "Sensor",
    spec: {
      dependencies: [{ name: "came", eventSourceName: "hello-world", eventName: "example" }],
      triggers: [{ template: { name: "say", log: {} } }],
    },
  },
} as const;

/** Returns the initial text of the editor for an event source, sensor or binding. */
export function eventExampleOf(list: EventList, namespace: string): Readonly<Record<string, unknown>> {
  return { apiVersion: API_VERSION, ...EVENTS[list], metadata: { name: "hello-world", namespace } };
}
