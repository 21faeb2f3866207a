import { assertEquals, assertStrictEquals } from "@std/assert";
import { isProblem } from "./problem.ts";
import { storedCronWorkflow, storedWorkflow, storedWorkflowTemplate } from "./read_stored.ts";

const METADATA = { name: "w", namespace: "n", uid: "u" };

Deno.test("storedWorkflow: keeps a workflow unchanged, including unknown fields", () => {
  const found = {
    metadata: { ...METADATA, generation: 3 },
    spec: { templates: [{ name: "main", container: 7 }], later: true },
    status: { phase: "Running", nodes: { a: { id: "a", name: "a", later: 1 } } },
  };
  const before = structuredClone(found);
  assertStrictEquals<unknown>(storedWorkflow.read(found), found);
  assertEquals(found, before);
});

Deno.test("storedWorkflow: null counts as absent, a missing specification as empty, and numbers and booleans of parameters become strings", () => {
  const parameters = () => [{ name: "a", value: 7, default: true, valueFrom: { default: 1.5 } }];
  const found = {
    metadata: { ...METADATA, creationTimestamp: null },
    spec: { arguments: { parameters: parameters() }, suspend: null },
    status: {
      startedAt: null,
      nodes: { a: { id: "a", name: "a", children: null, inputs: { parameters: parameters() } } },
    },
  };
  const read = [{ name: "a", value: "7", default: "true", valueFrom: { default: "1.5" } }];
  assertEquals<unknown>(storedWorkflow.read(found), {
    metadata: METADATA,
    spec: { arguments: { parameters: read } },
    status: { nodes: { a: { id: "a", name: "a", inputs: { parameters: read } } } },
  });
  assertEquals<unknown>(storedWorkflow.read({ metadata: METADATA, spec: null }), { metadata: METADATA, spec: {} });
});

const UNREADABLE: Record<string, unknown> = {
  "the Workflow w cannot be read: spec: expected object, got a string": { metadata: METADATA, spec: "main" },
  "the Workflow w cannot be read: spec.templates[1]: expected object, got null": {
    metadata: METADATA,
    spec: { templates: [{}, null] },
  },
  "the Workflow w cannot be read: spec.arguments.parameters[0].value: expected string, got an object": {
    metadata: METADATA,
    spec: { arguments: { parameters: [{ name: "a", value: { secret: "s" } }] } },
  },
  "the Workflow w cannot be read: status.nodes.a.name is required": {
    metadata: METADATA,
    status: { nodes: { a: { id: "a" } } },
  },
  "the Workflow w cannot be read: metadata.labels.a: expected string, got a number": {
    metadata: { ...METADATA, labels: { a: 1 } },
  },
  "the Workflow  cannot be read: metadata is required": {},
  "the Workflow  cannot be read: expected object, got a list": [],
};

for (const [message, found] of Object.entries(UNREADABLE)) {
  Deno.test(`storedWorkflow: reports the place of an error: ${message}`, () => {
    const read = storedWorkflow.read(structuredClone(found));
    assertEquals(isProblem(read) ? read.message : read, message);
    const row = storedWorkflow.row(found);
    assertEquals(row.spec, {});
    assertEquals(row.status, { phase: "Error", message });
  });
}

Deno.test("storedWorkflow: the row of an invalid workflow has the valid part of its metadata", () => {
  const found = { metadata: { ...METADATA, labels: { a: "b" }, annotations: 7 }, status: "Running" };
  assertEquals(storedWorkflow.row(found).metadata, { ...METADATA, labels: { a: "b" } });
});

Deno.test("stored templates and cron workflows: the row of an invalid one has the error where lists show it", () => {
  const template = storedWorkflowTemplate.row({ metadata: METADATA, spec: { templates: 7 } });
  assertEquals(template.metadata.annotations, {
    "workflows.argoproj.io/description":
      "the WorkflowTemplate w cannot be read: spec.templates: expected list, got a number",
  });
  const cron = storedCronWorkflow.row({ metadata: METADATA, spec: { workflowSpec: {}, schedules: "* * * * *" } });
  assertEquals(cron.status?.conditions, [{
    type: "SpecError",
    status: "True",
    message: "the CronWorkflow w cannot be read: spec.schedules: expected list, got a string",
  }]);
});
