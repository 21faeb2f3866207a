import type { Stages } from "@tiphys/base/turns";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { goJsonStages, MESSAGES, toGoJson } from "./mod.ts";

const as = (kind: string, json: Record<string, unknown>) => toGoJson<object>(MESSAGES.get(`argo.${kind}`)!, json);

/** Completes the stages. Returns the result and their number. */
function completed<T>(stages: Stages<T>): { readonly value: T; readonly count: number } {
  for (let count = 1;; count++) {
    const { done, value } = stages.next();
    if (done) return { value, count };
  }
}

const rows: readonly {
  rule: string;
  kind: string;
  input: Record<string, unknown>;
  written: Record<string, unknown>;
}[] = [
  {
    rule: "a string without omitempty, in an inline struct too, is empty",
    kind: "Data",
    input: { source: { artifactPaths: { gcs: { bucket: "b" } } } },
    written: { source: { artifactPaths: { name: "", gcs: { bucket: "b", key: "" } } }, transformation: null },
  },
  {
    rule: "a struct that is not a pointer is an object, with omitempty too",
    kind: "WorkflowStep",
    input: { name: "a", inline: { container: { image: "i" } } },
    written: {
      name: "a",
      arguments: {},
      inline: { inputs: {}, outputs: {}, metadata: {}, container: { image: "i", name: "", resources: {} } },
    },
  },
  {
    rule: "a list, a pointer and a time without a value are null; numbers and booleans have a zero",
    kind: "CronWorkflow",
    input: { metadata: { name: "c" }, spec: { workflowSpec: {}, schedules: ["* * * * *"] } },
    written: {
      metadata: { name: "c" },
      spec: { workflowSpec: { arguments: {} }, schedules: ["* * * * *"] },
      status: { active: null, lastScheduledTime: null, conditions: null, succeeded: 0, failed: 0, phase: "" },
    },
  },
  {
    rule: "null is the same as an absent value",
    kind: "NodeStatus",
    input: { id: "1", name: null, type: "Pod", memoizationStatus: { key: "k" }, startedAt: "2026-01-01T00:00:00Z" },
    written: {
      id: "1",
      name: "",
      type: "Pod",
      memoizationStatus: { hit: false, key: "k", cacheName: "" },
      startedAt: "2026-01-01T00:00:00Z",
      finishedAt: null,
    },
  },
  {
    rule: "lists in lists and maps are converted",
    kind: "Template",
    input: { inputs: {}, outputs: {}, metadata: {}, steps: [[{ hooks: { exit: { template: "x" } } }]] },
    written: {
      inputs: {},
      outputs: {},
      metadata: {},
      steps: [[{ arguments: {}, hooks: { exit: { template: "x", arguments: {} } } }]],
    },
  },
  {
    rule: "values of parameters are strings, without an exponent",
    kind: "Workflow",
    input: {
      metadata: { name: "w" },
      spec: {
        arguments: {
          parameters: [
            { name: "a", value: true, default: 1e21, enum: [1.5, "x", false] },
            { name: "b", valueFrom: { default: 0, path: "/p" } },
            { name: "c", value: "text" },
            { name: "d", value: null },
          ],
        },
      },
      status: { phase: "Running", startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:00:00Z" },
    },
    written: {
      metadata: { name: "w" },
      spec: {
        arguments: {
          parameters: [
            { name: "a", value: "true", default: "1000000000000000000000", enum: ["1.5", "x", "false"] },
            { name: "b", valueFrom: { default: "0", path: "/p" } },
            { name: "c", value: "text" },
            { name: "d", value: null },
          ],
        },
      },
      status: { phase: "Running", startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:00:00Z" },
    },
  },
  {
    rule: "an absent pointer with omitempty stays absent",
    kind: "Template",
    input: { inputs: {}, outputs: {}, metadata: {}, suspend: {} },
    written: { inputs: {}, outputs: {}, metadata: {}, suspend: {} },
  },
];

for (const { rule, kind, input, written } of rows) {
  Deno.test(`goJsonStages: ${rule}`, () => {
    const type = MESSAGES.get(`argo.${kind}`)!;
    assertEquals(completed(goJsonStages(type, structuredClone(input))).value, written);
    assertStrictEquals(completed(goJsonStages(type, written)).value, written);
  });

  Deno.test(`toGoJson: ${rule}`, () => {
    const before = structuredClone(input);
    assertEquals(as(kind, input), written);
    assertEquals(input, before);
    assertStrictEquals(as(kind, written), written);
  });
}

Deno.test("toGoJson: values of the wrong type are unchanged", () => {
  const odd = { metadata: { name: "w" }, spec: { arguments: 5, templates: [7, null, "x"], hooks: [] }, status: {} };
  const { spec } = as("Workflow", odd) as typeof odd;
  assertEquals(spec, odd.spec);
});

Deno.test("toGoJson: preserves a key named __proto__", () => {
  const status = JSON.parse('{"status": {"nodes": {"__proto__": {"id": "x"}}}}');
  const { nodes } = (as("Workflow", status) as { status: { nodes: object } }).status;
  assertEquals(Object.keys(nodes), ["__proto__"]);
  assertEquals(Object.getPrototypeOf(nodes), Object.prototype);
});

Deno.test("goJsonStages: a large list takes several stages", () => {
  const templates = Array.from({ length: 1000 }, (_, index) => ({ name: `t${index}`, steps: [[{ name: "a" }]] }));
  const workflow = { metadata: { name: "w" }, spec: { templates } };
  const { value, count } = completed(goJsonStages(MESSAGES.get("argo.Workflow")!, workflow));
  assert(count > 4, `${count}`);
  assertEquals<unknown>(value, as("Workflow", structuredClone(workflow)));
});
