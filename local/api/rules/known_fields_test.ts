import { assertEquals } from "@std/assert";
import { createApiServer } from "../server.ts";
import { ServedResources } from "../served_resource.ts";
import { knownPart } from "./known_fields.ts";

const resources = new ServedResources();
const template = { name: "m", container: { image: "alpine" } };

for (
  const [what, group, plural, given, unknown, left] of [
    ["a kind of Kubernetes' own", "", "configmaps", { data: { any: "key" }, dataa: {} }, ["dataa"], {
      data: { any: "key" },
    }],
    ["a container of a pod", "", "pods", { spec: { containers: [{ name: "m", imagee: "x" }] } }, [
      "spec.containers[0].imagee",
    ], { spec: { containers: [{ name: "m" }] } }],
    [
      "inlined fields",
      "",
      "pods",
      {
        spec: { volumes: [{ name: "v", configMap: { name: "c", nam: "d" } }] },
      },
      ["spec.volumes[0].configMap.nam"],
      { spec: { volumes: [{ name: "v", configMap: { name: "c" } }] } },
    ],
    ["metadata", "", "configmaps", { metadata: { name: "a", labls: {} } }, ["metadata.labls"], {
      metadata: { name: "a" },
    }],
    ["a workflow", "argoproj.io", "workflows", { spec: { entrypoint: "m", nonsense: 1, templates: [template] } }, [
      "spec.nonsense",
    ], { spec: { entrypoint: "m", templates: [template] } }],
    ["the status of a workflow has any fields", "argoproj.io", "workflows", { status: { any: 1 } }, [], {
      status: { any: 1 },
    }],
    [
      "quantities, times, and numbers or strings",
      "batch",
      "jobs",
      {
        spec: { template: { spec: { containers: [{ resources: { requests: { cpu: 0.5 } } }] } } },
        status: { startTime: "2026-01-01T00:00:00Z" },
      },
      [],
      {
        spec: { template: { spec: { containers: [{ resources: { requests: { cpu: 0.5 } } }] } } },
        status: { startTime: "2026-01-01T00:00:00Z" },
      },
    ],
  ] as const
) {
  Deno.test(`knownPart: removes unknown fields: ${what}`, () => {
    const version = group === "argoproj.io" ? "v1alpha1" : "v1";
    const metadata = { name: "a" };
    const part = knownPart({ metadata, ...given } as never, resources.find(group, version, plural)!);
    assertEquals(part, { object: { metadata, ...left }, unknown: [...unknown] } as never);
  });
}

Deno.test("unknown fields: are refused, reported or ignored as requested", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const send = async (method: string, path: string, body: unknown, type = "application/json") => {
    const url = `http://kubernetes.internal/apis/argoproj.io/v1alpha1/namespaces/a/workflowtemplates${path}`;
    const headers = { "content-type": type };
    const response = await api.handler(new Request(url, { method, headers, body: JSON.stringify(body) }));
    return { status: response.status, warning: response.headers.get("warning"), body: await response.json() };
  };
  const kind = { apiVersion: "argoproj.io/v1alpha1", kind: "WorkflowTemplate" };
  const object = { ...kind, metadata: { name: "t" }, spec: { entrypoint: "m", nonsense: 1, templates: [template] } };
  const strict = await send("POST", "?fieldValidation=Strict", object);
  assertEquals([strict.status, strict.body.message], [
    400,
    'WorkflowTemplate in version "v1alpha1" cannot be handled as a WorkflowTemplate: strict decoding error: ' +
    'unknown field "spec.nonsense"',
  ]);
  const made = await send("POST", "", object);
  assertEquals([made.status, made.warning, made.body.spec], [201, '299 - "unknown field \\"spec.nonsense\\""', {
    entrypoint: "m",
    templates: [template],
  }]);
  const merge = "application/merge-patch+json";
  const patched = await send("PATCH", "/t", { spec: { nonsense: 2 } }, merge);
  assertEquals([patched.body.metadata.resourceVersion, patched.warning], [
    made.body.metadata.resourceVersion,
    made.warning,
  ]);
  assertEquals((await send("PATCH", "/t?fieldValidation=Strict", { spec: { nonsense: 2 } }, merge)).status, 400);
  const beside = await send("PATCH", "/t", { nonsense: 1, metadata: { labels: { a: "b" }, labls: {} } }, merge);
  assertEquals([beside.body.nonsense, beside.body.metadata.labls, beside.body.metadata.labels], [undefined, undefined, {
    a: "b",
  }]);
  assertEquals(beside.body.spec, made.body.spec);
  assertEquals((await send("PATCH", "/t?fieldValidation=Ignore", { spec: { nonsense: 2 } }, merge)).warning, null);
  const applied = await send("PATCH", "/t?fieldManager=x&force=true", object, "application/apply-patch+yaml");
  assertEquals([applied.status, applied.body.message], [
    500,
    "failed to create typed patch object (t; argoproj.io/v1alpha1, Kind=WorkflowTemplate): " +
    ".spec.nonsense: field not declared in schema",
  ]);
  api.close();
});

Deno.test("unknown fields: the warnings of a response stay below the header size of clients", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const unknown = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`x${index}`, 1]));
  const response = await api.handler(
    new Request("http://kubernetes.internal/api/v1/namespaces/a/configmaps", {
      method: "POST",
      body: JSON.stringify({ metadata: { name: "c" }, ["y".repeat(3000)]: 1, ...unknown }),
    }),
  );
  await response.body?.cancel();
  const warning = response.headers.get("warning") ?? "";
  assertEquals([response.status, warning.includes("x0"), warning.length < 5_000], [201, true, true]);
  api.close();
});
