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

const ECHO = {
  name: "echo",
  inputs: { parameters: [{ name: "text" }] },
  container: { image: "busybox:1.37", command: ["echo"], args: ["{{inputs.parameters.text}}"] },
};
const say = (text: string) => ({ template: "echo", arguments: { parameters: [{ name: "text", value: text }] } });

/** The runs that the form of a new run starts with, by their names in texts; the first one by default. */
const STARTS = {
  hello: SPEC,
  steps: {
    entrypoint: "main",
    templates: [{
      name: "main",
      steps: [[{ name: "first", ...say("one") }], [{ name: "second", ...say("two") }, {
        name: "third",
        ...say("three"),
      }]],
    }, ECHO],
  },
  dag: {
    entrypoint: "main",
    templates: [{
      name: "main",
      dag: { tasks: [{ name: "extract", ...say("extract") }, { name: "load", depends: "extract", ...say("load") }] },
    }, ECHO],
  },
  loop: {
    entrypoint: "main",
    templates: [{
      name: "main",
      steps: [[{ name: "each", withItems: ["a", "b", "c"], ...say("{{item}}") }]],
    }, ECHO],
  },
  blank: {},
} as const;

/** The name of a start. */
export type StartName = keyof typeof STARTS;

/** All starts. */
export const START_NAMES = Object.keys(STARTS) as readonly StartName[];

/** Returns the run that a form starts with. */
export function startManifestOf(start: StartName, namespace: string): Readonly<Record<string, unknown>> {
  const generateName = start === "hello" ? "hello-world-" : start === "blank" ? "" : `${start}-`;
  return {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { generateName, ...(namespace === "" ? {} : { namespace }) },
    spec: STARTS[start],
  };
}

/** Returns the initial text of the editor for a kind of template. */
export function exampleOf(kind: TemplateKind, namespace: string): Readonly<Record<string, unknown>> {
  const where = kind === "ClusterWorkflowTemplate" || namespace === "" ? {} : { namespace };
  const metadata = { name: "hello-world", ...where };
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
