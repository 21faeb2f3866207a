import { assert, assertEquals, assertExists } from "@std/assert";
import { IntOrString, type Json, type KindName, KINDS, Template, WorkflowStep } from "@tiphys/model/api";
import { parseYaml } from "@tiphys/model/yaml";
import { generatedFiles } from "./gen.ts";
import { customResourceDefinition } from "./gen_crd.ts";
import { editorSchema } from "./gen_editor_schema.ts";
import { openAPI } from "@tiphys/model/api/open_api";

const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** Kinds that people write. */
const WRITTEN: readonly KindName[] = [
  "Workflow",
  "WorkflowTemplate",
  "ClusterWorkflowTemplate",
  "CronWorkflow",
  "WorkflowEventBinding",
];

/** kubectl keeps the whole object in an annotation, and all annotations may have 262144 bytes. */
const MAX_BYTES = 240_000;

for (const kind of KIND_NAMES) {
  Deno.test(`CRD of ${kind}: is small enough for a client-side apply`, () => {
    const bytes = JSON.stringify(customResourceDefinition(kind)).length;
    assert(bytes < MAX_BYTES, `${bytes} bytes`);
  });

  Deno.test(`schema of ${kind}: describes its fields, for kubectl explain`, () => {
    const { properties } = rootSchema(kind) as { properties: Record<string, { description?: string }> };
    assertEquals(typeof properties.spec?.description, WRITTEN.includes(kind) ? "string" : "undefined");
    assertEquals(properties.metadata?.description, undefined, "the API server rejects it");
  });

  Deno.test(`schema of ${kind}: is structural: every part of it has a type or is open`, () => {
    assertEquals(untyped(rootSchema(kind), kind), []);
  });
}

Deno.test("CRDs: workflows have no status subresource, task sets have one", () => {
  assertEquals(versionOf("Workflow").subresources, undefined);
  assertEquals(versionOf("WorkflowTaskSet").subresources, { status: {} });
});

Deno.test("CRDs: a workflow's status keeps unknown fields", () => {
  const { properties } = rootSchema("Workflow") as { properties: Record<string, Json> };
  assertEquals(properties.status, { type: "object", "x-kubernetes-preserve-unknown-fields": true });
});

Deno.test("CRDs: limits and rules of a schema are next to its type", () => {
  const { properties } = openAPI(WorkflowStep) as { properties: Record<string, Json> };
  assertEquals(properties.name, { type: "string", pattern: "^[a-zA-Z0-9][-a-zA-Z0-9]*$", maxLength: 128 });
  assertEquals(openAPI(IntOrString), { "x-kubernetes-int-or-string": true });
});

Deno.test("CRDs: a template inside a step is open, because it would contain itself", () => {
  const { properties } = openAPI(WorkflowStep) as { properties: Record<string, Json> };
  assertEquals(properties.inline, { type: "object", "x-kubernetes-preserve-unknown-fields": true });
  assertExists((openAPI(Template) as { properties: Record<string, Json> }).properties.steps);
});

Deno.test("editors' schema: refers to existing definitions, and closes objects", () => {
  const schema = editorSchema() as { definitions: Record<string, { additionalProperties?: boolean }> };
  const references = JSON.stringify(schema).match(/#\/definitions\/\w+/g) ?? [];
  const missing = new Set(
    references.map((reference) => reference.split("/").at(-1) ?? "").filter((name) => !schema.definitions[name]),
  );
  assertEquals([...missing], []);
  assertEquals(schema.definitions.WorkflowSpec?.additionalProperties, false);
});

Deno.test("CRDs: every generated manifest can be parsed", () => {
  for (const [path, text] of generatedFiles()) {
    if (!/^crds\/.*\.yaml$/.test(path)) continue;
    const [document] = parseYaml(text);
    assertEquals(document?.errors, [], path);
    assertEquals((document?.value as { kind: string }).kind, "CustomResourceDefinition");
  }
});

function versionOf(kind: KindName): Record<string, Json> {
  const { spec } = customResourceDefinition(kind) as { spec: { versions: Record<string, Json>[] } };
  return spec.versions[0] ?? {};
}

function rootSchema(kind: KindName): Json {
  return (versionOf(kind).schema as { openAPIV3Schema: Json }).openAPIV3Schema;
}

function untyped(schema: Json, path: string): string[] {
  const { type, properties, items, additionalProperties, ...rest } = schema as Record<string, Json>;
  const isTyped = typeof type === "string" || rest["x-kubernetes-int-or-string"] === true ||
    rest["x-kubernetes-preserve-unknown-fields"] === true;
  const inner = Object.entries((properties ?? {}) as Record<string, Json>);
  if (items !== undefined) inner.push(["items", items]);
  if (additionalProperties !== undefined) inner.push(["additionalProperties", additionalProperties]);
  return [
    ...(isTyped && rest.$ref === undefined ? [] : [path]),
    ...inner.flatMap(([name, part]) => untyped(part, `${path}.${name}`)),
  ];
}
