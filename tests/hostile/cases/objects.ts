/** Malformed workflows, and reports, pods and ConfigMaps that an attacker writes. */
import {
  argument,
  configMap,
  ENDS,
  failsWith,
  type Fields,
  HOSTILE,
  type HostileCase,
  type HostileObject,
  nestedArrays,
  NOTHING,
  pod,
  refused,
  SAY,
  STAYS,
  SUCCEEDS,
  taskResult,
  times,
  workflow,
  workflowAsIs,
} from "../case.ts";

const UNREADABLE = failsWith(/^cannot unmarshall spec: /, "Failed");

/** A workflow that a cluster with minimal CRDs would accept. */
function caseOfFields(name: string, fields: Fields, outcome = UNREADABLE): HostileCase {
  return { name, outcome, make: () => [workflowAsIs(fields)] };
}

function spec(fields: Fields): Fields {
  return { spec: { entrypoint: "main", templates: [{ name: "main", ...fields }] } };
}

const runs = (): HostileObject => workflow({ spec: { entrypoint: "say", templates: [SAY] } });
const waits = (): HostileObject =>
  workflow({ spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] } });
const LABELS = { "workflows.argoproj.io/workflow": HOSTILE };

/** The cases of malformed objects. */
export const OBJECTS: readonly HostileCase[] = [
  caseOfFields("a spec that is a string", { spec: "x" }),
  caseOfFields("a spec that is a list", { spec: [] }),
  caseOfFields("no spec", { spec: null }),
  caseOfFields("templates that are an object", { spec: { entrypoint: "main", templates: {} } }),
  caseOfFields("100,000 templates that are numbers", {
    spec: { entrypoint: "main", templates: times(100_000, () => 1) },
  }),
  caseOfFields("steps that are a single list", spec({ steps: [{ name: "a", template: "main" }] }), ENDS),
  caseOfFields("steps of numbers", spec({ steps: [[1, 2, 3]] })),
  caseOfFields("tasks that are a string", spec({ dag: { tasks: "all" } })),
  caseOfFields("a container that is a list", spec({ container: ["x"] })),
  caseOfFields("a suspension that is true", spec({ suspend: true })),
  caseOfFields("arguments that are numbers", {
    spec: { entrypoint: "main", arguments: { parameters: [1, null, "x"] }, templates: [] },
  }),
  caseOfFields(
    "items nested thousands deep",
    spec({ steps: [[{ name: "a", template: "main", withItems: [nestedArrays(5000)] }]] }),
    failsWith(/more than 200 levels deep/, "Failed"),
  ),
  caseOfFields(
    "an unknown field nested thousands deep",
    { spec: { entrypoint: "main", templates: [], x: nestedArrays(5000) } },
    failsWith(/more than 200 levels deep/, "Failed"),
  ),
  caseOfFields("an unknown phase", { ...spec({ suspend: {} }), status: { phase: "Broken" } }),
  caseOfFields("a status that is a string", { ...spec({ suspend: {} }), status: "done" }, STAYS),
  caseOfFields("nodes that are a list", { ...spec({ suspend: {} }), status: { nodes: [] } }, STAYS),
  caseOfFields("nodes that are numbers", {
    ...spec({ suspend: {} }),
    status: { phase: "Running", nodes: { a: 1, b: 2 } },
  }),
  caseOfFields("invalid numbers", {
    spec: { entrypoint: "main", activeDeadlineSeconds: 1e300, parallelism: 0.5, templates: [] },
  }),
  caseOfFields(
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
      ...times(100, (index) => taskResult({ name: `r${index}`, labels: LABELS }, { progress: "1/1e400" })),
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
        ownerReferences: times(
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
    outcome: failsWith(/./),
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
    make: () => [
      workflow({ spec: { entrypoint: "main", templates: [{ ...NOTHING, name: "main", x: nestedArrays(1000) }] } }),
    ],
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
