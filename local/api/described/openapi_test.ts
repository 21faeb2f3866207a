import { assertEquals } from "@std/assert";
import { type Fields, fieldsOf, itemsOf, textIn } from "@tiphys/base/fields_of";
import { type ApiServer, createApiServer } from "../server.ts";

async function documentOf(api: ApiServer, path: string) {
  const response = await api.handler(new Request(`http://kubernetes.internal/openapi/v3/${path}`));
  return await response.json();
}

/** The type at a path of fields, as in `kubectl explain`; without fields if it is not described. */
function fieldAt(document: Readonly<Fields>, kind: string, path: string): Readonly<Fields> {
  const schemas = fieldsOf(fieldsOf(document.components).schemas);
  const resolve = (schema: unknown) => {
    const reference = textIn(fieldsOf(schema), "$ref");
    return fieldsOf(reference === undefined ? schema : schemas[reference.split("/").at(-1)!]);
  };
  const isOfKind = (schema: unknown) =>
    fieldsOf(itemsOf(fieldsOf(schema)["x-kubernetes-group-version-kind"])[0]).kind === kind;
  let inner = fieldsOf(Object.values(schemas).find(isOfKind));
  for (const name of path.split(".")) {
    inner = resolve(fieldsOf(inner.properties)[name] ?? fieldsOf(fieldsOf(inner.items).properties)[name]);
  }
  return inner;
}

Deno.test("openapi: describes the fields of all kinds: Argo's, built-in ones, and those of definitions", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const workflows = await documentOf(api, "apis/argoproj.io/v1alpha1");
  assertEquals(fieldAt(workflows, "Workflow", "spec.templates.container.image").type, "string");
  assertEquals(fieldAt(workflows, "CronWorkflow", "metadata.labels").additionalProperties, { type: "string" });
  const core = await documentOf(api, "api/v1");
  assertEquals(fieldAt(core, "ConfigMap", "data"), { type: "object", additionalProperties: { type: "string" } });
  const { $ref } = fieldsOf(fieldAt(core, "Pod", "spec.containers").items);
  assertEquals($ref, "#/components/schemas/io.k8s.api.core.Container");
  assertEquals(fieldAt(core, "Pod", "metadata.creationTimestamp").format, "date-time");
  const openAPIV3Schema = {
    type: "object",
    properties: { spec: { type: "object", properties: { n: { type: "integer" } } } },
  };
  const body = JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await api.handler(new Request(`http://kubernetes.internal${path}`, { method: "POST", body }));
  const defined = await documentOf(api, "apis/example.com/v1");
  assertEquals(fieldAt(defined, "Thing", "spec.n"), { type: "integer" });
  assertEquals(fieldAt(defined, "Thing", "metadata.name"), { type: "string" });
  api.close();
});

Deno.test("openapi: fields of our kinds have the descriptions of the reference", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const workflows = await documentOf(api, "apis/argoproj.io/v1alpha1");
  const expected: readonly [kind: string, path: string, description: string][] = [
    ["Workflow", "spec", "The specification of a workflow: its templates, arguments and settings"],
    ["Workflow", "spec.entrypoint", "Template that runs first"],
    ["Workflow", "spec.templates", "Templates of the workflow"],
    ["Workflow", "spec.templates.container.image", "Image"],
    ["Workflow", "spec.templates.inputs.artifacts.s3.key", "Key of the object; a trailing slash means a folder"],
    ["CronWorkflow", "spec.workflowSpec.parallelism", "How many pods may run at a time; default: no limit"],
    ["CronWorkflow", "spec.schedules", "When to start a workflow, in cron syntax"],
  ];
  for (const [kind, path, description] of expected) {
    assertEquals(fieldAt(workflows, kind, path).description, description, path);
  }
  api.close();
});
