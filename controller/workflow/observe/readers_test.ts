import { assertEquals } from "@std/assert";
import { isProblem, readTaskResult, structureOf, Template, WorkflowSpec } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import {
  readClusterWorkflowTemplate,
  readConfigMap,
  readServiceAccount,
  readWorkflow,
  readWorkflowTemplate,
} from "./readers.ts";

const METADATA = { name: "t", namespace: "n" };

function fieldsOf(schema: typeof Template | typeof WorkflowSpec): [string, ReturnType<typeof structureOf>][] {
  const structure = structureOf(schema);
  if (structure.kind !== "object") throw new TypeError("Expected an object");
  return Object.entries(structure.shape).map(([name, field]) => [name, structureOf(field)]);
}

function specOf(template: object): KubeObject {
  return { metadata: METADATA, spec: { templates: [template] } };
}

function messageOf(read: unknown): string | undefined {
  return isProblem(read) ? read.message : undefined;
}

Deno.test("readWorkflow(): gives each node the ID under which it is stored", () => {
  const node = (id: string) => ({ id, name: id, type: "Pod" });
  const read = readWorkflow(
    { metadata: METADATA, spec: {}, status: { nodes: { a: node("a"), b: node("a") } } } as KubeObject,
  );
  if (isProblem(read)) throw new Error(read.message);
  assertEquals(Object.values(read.status!.nodes!).map(({ id, name }) => [id, name]), [["a", "a"], ["b", "a"]]);
});

Deno.test("readWorkflow(): workflows with the same spec share it, but nothing else", () => {
  const read = (image: string, more: object = {}) =>
    readWorkflow({
      metadata: METADATA,
      spec: { entrypoint: "a", templates: [{ name: "a", container: { image } }], nonsense: 1 },
      ...more,
    } as KubeObject);
  const [first, second, other] = [read("one"), read("one", { status: { phase: "Running" } }), read("two")];
  if (isProblem(first) || isProblem(second) || isProblem(other)) throw new Error("Expected workflows");
  assertEquals(second.spec === first.spec, true);
  assertEquals(first.spec, { entrypoint: "a", templates: [{ name: "a", container: { image: "one" } }] });
  assertEquals([first.status, second.status], [undefined, { phase: "Running" }]);
  assertEquals(other.spec.templates?.[0]?.container?.image, "two");
});

Deno.test("readWorkflow(): a long spec is parsed for each workflow, whether its text is long or it has many parts", () => {
  const many = Array.from({ length: 30_000 }, (_, index) => `${index % 10}`);
  for (const args of [["x".repeat(30_000)], many]) {
    const spec = { entrypoint: "a", templates: [{ name: "a", container: { image: "busybox", args } }] };
    const [first, second] = [0, 1].map(() => readWorkflow({ metadata: METADATA, spec } as object));
    if (isProblem(first!) || isProblem(second!)) throw new Error("Expected workflows");
    assertEquals([first!.spec === second!.spec, first!.spec], [false, second!.spec]);
  }
});

Deno.test("readWorkflow(): reports an error outside of a cached spec, and an error in a spec each time", () => {
  const spec = { templates: [{ name: "beside" }] };
  assertEquals(isProblem(readWorkflow({ metadata: METADATA, spec } as KubeObject)), false);
  const wrongStatus = messageOf(readWorkflow({ metadata: METADATA, spec, status: { phase: 1 } } as object));
  assertEquals(wrongStatus?.includes("status.phase"), true);
  for (let time = 0; time < 2; time++) {
    const wrong = messageOf(readWorkflow({ metadata: METADATA, spec: { entrypoint: 1 } } as object));
    assertEquals(wrong?.includes("spec.entrypoint"), true);
  }
});

Deno.test("readWorkflowTemplate(): null counts as absent in every optional field of a template", () => {
  const nothing = Object.fromEntries(fieldsOf(Template).map(([name]) => [name, null]));
  assertEquals(
    readWorkflowTemplate(specOf({ ...nothing, name: "main" })),
    readWorkflowTemplate(specOf({ name: "main" })),
  );
});

Deno.test("readWorkflowTemplate(): null counts as absent in every optional field of a spec", () => {
  const spec = Object.fromEntries(fieldsOf(WorkflowSpec).map(([name]) => [name, null]));
  assertEquals(readWorkflowTemplate({ metadata: METADATA, spec }), { metadata: METADATA, spec: {} });
});

Deno.test("readWorkflowTemplate(): an error in a field of a template names its location", () => {
  for (const [name, { kind }] of fieldsOf(Template)) {
    const path = `malformed workflow template "n/t": spec.templates[0].${name}`;
    const wrong = kind === "list" ? { a: 1 } : ["a"];
    assertEquals(messageOf(readWorkflowTemplate(specOf({ [name]: wrong })))?.startsWith(path), true, name);
  }
});

Deno.test("readWorkflowTemplate(): an error in a field of a spec names its location", () => {
  for (const [name, { kind }] of fieldsOf(WorkflowSpec)) {
    const path = `malformed workflow template "n/t": spec.${name}`;
    const read = readWorkflowTemplate({ metadata: METADATA, spec: { [name]: kind === "list" ? "x" : ["a"] } });
    assertEquals(messageOf(read)?.startsWith(path), true, name);
  }
});

Deno.test("readWorkflowTemplate(): accepts numbers and booleans as strings in values", () => {
  const read = readWorkflowTemplate(specOf({
    name: "main",
    inputs: { parameters: [{ name: "p", value: 7, default: true, enum: [7, 1.5] }] },
  }));
  assertEquals(isProblem(read) ? read : read.spec.templates?.[0]?.inputs?.parameters, [
    { name: "p", value: "7", default: "true", enum: ["7", "1.5"] },
  ]);
});

const UNREADABLE: Record<string, [unknown, string]> = {
  "a workflow": [
    readWorkflow({ metadata: METADATA, spec: { templates: {} } }),
    "cannot unmarshall spec: spec.templates: expected list, got an object",
  ],
  "a cluster template": [
    readClusterWorkflowTemplate({ metadata: { name: "t" }, spec: { entrypoint: 7 } }),
    'malformed cluster workflow template "t": spec.entrypoint: expected string, got 7',
  ],
  "a report": [
    readTaskResult({ metadata: METADATA, outputs: { parameters: 1 } }),
    "the report of this node cannot be read: outputs.parameters: expected list, got 1",
  ],
  "a ConfigMap": [
    readConfigMap({ metadata: METADATA, data: { a: 1 } }),
    "the ConfigMap t cannot be parsed: data.a: expected string, got 1",
  ],
  "a ServiceAccount": [
    readServiceAccount({ metadata: METADATA, secrets: "x" }),
    'the ServiceAccount t cannot be parsed: secrets: expected list, got "x"',
  ],
};

for (const [kind, [read, message]] of Object.entries(UNREADABLE)) {
  Deno.test(`${kind}: an object that cannot be parsed is a problem with the path of the invalid field`, () =>
    assertEquals(messageOf(read), message));
}
