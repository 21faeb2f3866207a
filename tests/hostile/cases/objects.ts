/** Malformed workflows, and reports, pods and ConfigMaps that an attacker writes. */
import {
  argument,
  configMap,
  deep,
  ENDS,
  fails,
  type Fields,
  HOSTILE,
  type HostileCase,
  type HostileObject,
  many,
  NOTHING,
  pod,
  refused,
  SAY,
  STAYS,
  SUCCEEDS,
  taskResult,
  workflow,
  workflowAsIs,
} from "../case.ts";

const UNREADABLE = fails(/^cannot unmarshall spec: /, "Failed");

/** A workflow that a cluster with minimal CRDs would accept. */
function shaped(name: string, fields: Fields, outcome = UNREADABLE): HostileCase {
  return { name, outcome, make: () => [workflowAsIs(fields)] };
}

function spec(fields: Fields): Fields {
  return { spec: { entrypoint: "main", templates: [{ name: "main", ...fields }] } };
}

const runs = (): HostileObject => workflow({ spec: { entrypoint: "say", templates: [SAY] } });
const waits = (): HostileObject =>
  workflow({ spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] } });
const LABELS = { "workflows.argoproj.io/workflow": HOSTILE };

/** Cases. */
export const OBJECTS: readonly HostileCase[] = [
  shaped("a spec that is a string", { spec: "x" }),
  shaped("a spec that is a list", { spec: [] }),
  shaped("no spec", { spec: null }),
  shaped("templates that are an object", { spec: { entrypoint: "main", templates: {} } }),
  shaped("100,000 templates that are numbers", { spec: { entrypoint: "main", templates: many(100_000, () => 1) } }),
  shaped("steps that are a single list", spec({ steps: [{ name: "a", template: "main" }] }), ENDS),
  shaped("steps of numbers", spec({ steps: [[1, 2, 3]] })),
  shaped("tasks that are a string", spec({ dag: { tasks: "all" } })),
  shaped("a container that is a list", spec({ container: ["x"] })),
  shaped("a suspension that is true", spec({ suspend: true })),
  shaped("arguments that are numbers", {
    spec: { entrypoint: "main", arguments: { parameters: [1, null, "x"] }, templates: [] },
  }),
  shaped(
    "items nested thousands deep",
    spec({ steps: [[{ name: "a", template: "main", withItems: [deep(5000)] }]] }),
    fails(/more than 200 levels deep/, "Failed"),
  ),
  shaped(
    "an unknown field nested thousands deep",
    { spec: { entrypoint: "main", templates: [], x: deep(5000) } },
    fails(/more than 200 levels deep/, "Failed"),
  ),
  shaped("an unknown phase", { ...spec({ suspend: {} }), status: { phase: "Broken" } }),
  shaped("a status that is a string", { ...spec({ suspend: {} }), status: "done" }, STAYS),
  shaped("nodes that are a list", { ...spec({ suspend: {} }), status: { nodes: [] } }, STAYS),
  shaped("nodes that are numbers", { ...spec({ suspend: {} }), status: { phase: "Running", nodes: { a: 1, b: 2 } } }),
  shaped("invalid numbers", {
    spec: { entrypoint: "main", activeDeadlineSeconds: 1e300, parallelism: 0.5, templates: [] },
  }),
  shaped(
    "fields of the prototype",
    JSON.parse(
      '{"spec": {"__proto__": {"entrypoint": "x"}, "entrypoint": "main", "templates": [{"name": "main", "constructor": 1, "suspend": {"duration": "0s"}}]}}',
    ),
    SUCCEEDS,
  ),

  {
    name: "a report that is larger than a node",
    outcome: STAYS,
    make:
      () => [waits(), taskResult({ name: HOSTILE, labels: LABELS }, { outputs: { result: "x".repeat(1_000_000) } })],
  },
  {
    name: "a malformed report",
    outcome: STAYS,
    make: () => [
      waits(),
      taskResult({ name: HOSTILE, labels: LABELS }, {}, {
        outputs: { parameters: 1, artifacts: "x", result: {} },
        phase: 7,
        progress: [],
      }),
    ],
  },
  {
    name: "a report without a subject",
    outcome: STAYS,
    make: () => [waits(), taskResult({ name: "nobody", labels: { "workflows.argoproj.io/workflow": "nobody" } }, {})],
  },
  {
    name: "a hundred reports without a subject",
    outcome: STAYS,
    make: () => [
      waits(),
      ...many(100, (index) => taskResult({ name: `r${index}`, labels: LABELS }, { progress: "1/1e400" })),
    ],
  },

  {
    name: "a pod whose annotation of collection has no slash",
    outcome: STAYS,
    make: () => [
      pod({
        name: "p",
        labels: { "workflows.argoproj.io/workflow": "gone" },
        annotations: { "workflows.argoproj.io/pod-gc-strategy": "OnPodCompletion" },
        finalizers: ["workflows.argoproj.io/status"],
      }),
    ],
  },
  {
    name: "a pod with an invalid annotation of collection",
    outcome: STAYS,
    make: () => [
      pod({
        name: "p",
        labels: { "workflows.argoproj.io/workflow": "gone" },
        annotations: { "workflows.argoproj.io/pod-gc-strategy": "///" },
      }),
    ],
  },
  {
    name: "a pod of a missing node",
    outcome: SUCCEEDS,
    make: () => [
      runs(),
      pod({
        name: "p",
        labels: LABELS,
        annotations: {
          "workflows.argoproj.io/node-id": "__proto__",
          "workflows.argoproj.io/node-name": "x".repeat(10_000),
        },
      }),
    ],
  },
  {
    name: "a pod that claims to be the node's",
    outcome: ENDS,
    make: () => [
      runs(),
      pod({
        name: "p",
        labels: LABELS,
        annotations: { "workflows.argoproj.io/node-id": HOSTILE, "workflows.argoproj.io/node-name": HOSTILE },
      }),
    ],
  },
  {
    name: "a pod with owners of many kinds",
    outcome: SUCCEEDS,
    make: () => [
      runs(),
      pod({
        name: "p",
        labels: LABELS,
        ownerReferences: many(
          50,
          (index) => ({ apiVersion: "v1", kind: "Workflow", name: HOSTILE, uid: `u${index}` }),
        ),
      }),
    ],
  },
  {
    name: "malformed pods",
    outcome: SUCCEEDS,
    make: () => [
      runs(),
      ...[{ spec: 7 }, { spec: {} }, { spec: { containers: [null] } }, { status: [] }, { status: { phase: {} } }].map(
        (asIs, index) => pod({ name: `p${index}`, labels: LABELS }, {}, asIs),
      ),
    ],
  },
  {
    name: "a pod with the name of the node's pod",
    outcome: ENDS,
    make: () => [pod({ name: HOSTILE, labels: LABELS }), runs()],
  },
  {
    name: "a pod with an invalid progress",
    outcome: STAYS,
    make: () => [
      pod({ name: "p", labels: LABELS, annotations: { "workflows.argoproj.io/progress": "9e999/-1" } }),
      waits(),
    ],
  },

  {
    name: "a parameter from a ConfigMap of another kind",
    outcome: fails(/./),
    make: () => [
      configMap({ name: "params", labels: { "workflows.argoproj.io/configmap-type": "Cache" } }, { k: "v" }),
      fromConfigMap(),
    ],
  },
  {
    name: "a parameter from a ConfigMap that contains tags",
    outcome: ENDS,
    make: () => [
      configMap({ name: "params", labels: { "workflows.argoproj.io/configmap-type": "Parameter" } }, {
        k: "{{=repeat('x', 999999)}}{{".repeat(100),
      }),
      fromConfigMap(),
    ],
  },
  {
    name: "a workflow with an unknown kind of field",
    outcome: STAYS,
    make:
      () => [workflow({ spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] }, more: { a: 1 } })],
  },
  {
    name: "a workflow whose spec is refused by its schema",
    outcome: refused(/Invalid value/),
    make: () => [workflow({ spec: { entrypoint: 5 } })],
  },
  {
    name: "a workflow nested deeper than allowed",
    outcome: refused(/are nested more than \d+ levels deep/),
    make: () => [workflow({ spec: { entrypoint: "main", templates: [{ ...NOTHING, name: "main", x: deep(1000) }] } })],
  },
  {
    name: "arguments nested in themselves",
    outcome: ENDS,
    make: () => [
      workflow({
        spec: {
          entrypoint: "main",
          arguments: argument("{{workflow.parameters.p}}"),
          templates: [{ name: "main", suspend: { duration: "0s" } }],
        },
      }),
    ],
  },
];

function fromConfigMap(): HostileObject {
  const parameters = [{ name: "p", valueFrom: { configMapKeyRef: { name: "params", key: "k" } } }];
  return workflow({
    spec: { entrypoint: "main", templates: [{ name: "main", inputs: { parameters }, suspend: { duration: "0s" } }] },
  });
}
