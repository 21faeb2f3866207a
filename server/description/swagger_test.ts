import { assert, assertEquals } from "@std/assert";
import { ROUTES } from "../table.ts";
import { API_DOCUMENTS } from "../api_documents.ts";
import { swaggerOf } from "./swagger.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema?: unknown }[];
  readonly responses: Readonly<Record<string, { readonly schema: Readonly<Record<string, unknown>> }>>;
}
interface Definition {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
const swagger = JSON.parse(JSON.stringify(swaggerOf(ROUTES, "v1"))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly definitions: Readonly<Record<string, Definition>>;
};

Deno.test("swagger: every route is an operation with its path parameters", () => {
  const operations = Object.entries(swagger.paths).flatMap(([path, all]) =>
    Object.values(all).map((operation) => ({ path, operation }))
  );
  assertEquals(operations.map(({ operation }) => operation.operationId).sort(), ROUTES.map(({ id }) => id).sort());
  for (const { path, operation } of operations) {
    const named = operation.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => `{${name}}`);
    assertEquals(path.match(/\{\w+\}/g) ?? [], named);
  }
});

Deno.test("swagger: all references resolve, with the names of Argo's description", () => {
  const text = JSON.stringify(swagger);
  const missing = [...text.matchAll(/"#\/definitions\/([^"]+)"/g)].filter(([, name]) =>
    !Object.hasOwn(swagger.definitions, name!)
  );
  assertEquals(missing.map(([, name]) => name), []);
  const retry = swagger.paths["/api/v1/workflows/{namespace}/{name}/retry"]!.put!;
  assertEquals(retry.parameters.at(-1)!.schema, {
    $ref: "#/definitions/io.argoproj.workflow.v1alpha1.WorkflowRetryRequest",
  });
  assertEquals(retry.responses["200"]!.schema, { $ref: "#/definitions/io.argoproj.workflow.v1alpha1.Workflow" });
  const container = swagger.definitions["io.k8s.api.core.v1.Container"]!.properties!;
  assertEquals([container.image, container.args], [{ type: "string" }, { type: "array", items: { type: "string" } }]);
  assertEquals(swagger.definitions["io.k8s.apimachinery.pkg.apis.meta.v1.Time"], {
    type: "string",
    format: "date-time",
  });
});

Deno.test("swagger: an upload is a form with a file", () => {
  const { parameters, ...upload } = swagger.paths["/upload-artifacts/{namespace}/{name}/{artifactName}"]!.post!;
  assertEquals((upload as { consumes?: unknown }).consumes, ["multipart/form-data"]);
  assertEquals(parameters.at(-1), { name: "file", in: "formData", required: true, type: "file" } as never);
});

Deno.test("swagger: a stream has results or an error, as in Argo's gateway", () => {
  const watch = swagger.paths["/api/v1/workflow-events/{namespace}"]!.get!.responses["200"]!.schema;
  assertEquals(Object.keys(watch.properties as object), ["result", "error"]);
});

Deno.test("API documents: are served at the paths of Argo's page, with the version", async () => {
  const texts = await Promise.all([...API_DOCUMENTS].map(async ([path, make]) => [path, await make()] as const));
  const [[first, spec], [second, schema]] = texts as [readonly [string, string], readonly [string, string]];
  assertEquals([first, second], ["/assets/openapi-spec/swagger.json", "/assets/jsonschema/schema.json"]);
  assertEquals(JSON.parse(spec).swagger, "2.0");
  assert(JSON.parse(spec).info.version !== "");
  assert(Object.hasOwn(JSON.parse(schema).definitions, "Workflow"));
});
