import { UserError } from "@tiphys/base/user_error";
import { assertEquals, assertThrows } from "@std/assert";
import { TemplateError } from "./error.ts";
import { type WorkflowFacts, workflowGlobals } from "./globals.ts";
import { workflowMetadata } from "./workflow_metadata.ts";

const metadata = { name: "w", namespace: "ns", uid: "u", creationTimestamp: "2024-02-29T23:05:09Z" };

function globals(spec: WorkflowFacts["spec"], more: Partial<WorkflowFacts["metadata"]> = {}) {
  return workflowGlobals({ metadata: { ...metadata, ...more }, spec });
}

Deno.test("workflowGlobals: the workflow's own fields are present even if they are empty", () => {
  const found = globals({});
  assertEquals(found.get("workflow.name"), "w");
  assertEquals(found.get("workflow.serviceAccountName"), "");
});

Deno.test("workflowGlobals: the priority and the scheduled time are present only if they are set", () => {
  assertEquals(globals({}).has("workflow.priority"), false);
  assertEquals(globals({ priority: 0 }).get("workflow.priority"), "0");
  assertEquals(globals({}).has("workflow.scheduledTime"), false);
  const annotations = { "workflows.argoproj.io/scheduled-time": "2024-01-01T00:00:00Z" };
  assertEquals(globals({}, { annotations }).get("workflow.scheduledTime"), "2024-01-01T00:00:00Z");
});

Deno.test("workflowGlobals: the creation time is present as a whole, by format letter, and as Unix seconds (`s`)", () => {
  const found = globals({});
  assertEquals(found.get("workflow.creationTimestamp"), "2024-02-29T23:05:09Z");
  assertEquals(found.get("workflow.creationTimestamp.A"), "Thursday");
  assertEquals(found.get("workflow.creationTimestamp.S"), "09");
  assertEquals(found.get("workflow.creationTimestamp.s"), "1709247909");
  const abroad = globals({}, { creationTimestamp: "2024-03-01T01:05:09+02:00" });
  assertEquals(abroad.get("workflow.creationTimestamp"), "2024-02-29T23:05:09Z");
});

Deno.test("workflowGlobals: parameters are present by name, and as JSON in the order of the spec", () => {
  const found = globals({ arguments: { parameters: [{ name: "b", value: "<1>" }, { name: "a", value: "" }] } });
  assertEquals(found.get("workflow.parameters.b"), "<1>");
  assertEquals(
    found.get("workflow.parameters.json"),
    '[{"name":"b","value":"\\u003c1\\u003e"},{"name":"a","value":""}]',
  );
  assertEquals(globals({}).get("workflow.parameters"), "null");
});

Deno.test("workflowGlobals: a parameter without a value is an error", () => {
  assertThrows(() => globals({ arguments: { parameters: [{ name: "a" }] } }), TemplateError, "global parameter a");
});

Deno.test("workflowGlobals: a parameter comes from a ConfigMap, or from its default if the ConfigMap cannot be read", () => {
  const parameter = { name: "a", valueFrom: { configMapKeyRef: { name: "cm", key: "k" }, default: "d" } };
  const facts = { metadata, spec: { arguments: { parameters: [parameter] } } };
  const found = workflowGlobals(facts, { configMapValue: ({ name, key }) => `${name}/${key}` });
  assertEquals(found.get("workflow.parameters.a"), "cm/k");
  const fallen = workflowGlobals(facts, {
    configMapValue: () => {
      throw new UserError("gone");
    },
  });
  assertEquals(fallen.get("workflow.parameters.a"), "d");
});

Deno.test("workflowGlobals: labels of workflowMetadata override the workflow's own by name, but not in the JSON", () => {
  const found = globals({ workflowMetadata: { labels: { app: "new" } } }, { labels: { app: "old" } });
  assertEquals(found.get("workflow.labels.app"), "new");
  assertEquals(found.get("workflow.labels.json"), '{"app":"old"}');
});

Deno.test("workflowGlobals: a label of labelsFrom is absent until it is computed", () => {
  const spec = { workflowMetadata: { labelsFrom: { app: { expression: "'x'" } } } };
  assertEquals(globals(spec, { labels: { app: "old" } }).has("workflow.labels.app"), false);
});

Deno.test("workflowGlobals: outputs of the workflow so far are present by name", () => {
  const status = { outputs: { parameters: [{ name: "g", value: "v" }, { name: "none" }] } };
  const found = workflowGlobals({ metadata, spec: {}, status });
  assertEquals(found.get("workflow.outputs.parameters.g"), "v");
  assertEquals(found.has("workflow.outputs.parameters.none"), false);
});

Deno.test("workflowMetadata: labelsFrom computes labels from bare expressions", () => {
  const found = workflowMetadata(
    { labels: { a: "1" }, labelsFrom: { b: { expression: "workflow.name + '-x'" } } },
    globals({}),
  );
  assertEquals(found, { labels: { a: "1", b: "w-x" }, annotations: {} });
});

Deno.test("workflowMetadata: labelsFrom must evaluate to a valid label value", () => {
  const computed = (expression: string) => workflowMetadata({ labelsFrom: { l: { expression } } }, globals({}));
  assertThrows(() => computed("1"), TemplateError, "evaluted to int but must be a string");
  assertThrows(() => computed("'a b'"), TemplateError, 'invalid label value "a b"');
  assertThrows(() => computed("1 +"), TemplateError, "failed to compile function");
  assertThrows(() => computed("nowhere"), TemplateError, "failed to compile function");
});

Deno.test("workflowMetadata: an annotation may have any text", () => {
  assertEquals(workflowMetadata({ annotations: { a: "b c <d>" } }, globals({})).annotations, { a: "b c <d>" });
});
