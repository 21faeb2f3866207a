import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { type ApiServer, createApiServer } from "../server.ts";
import { StatusError } from "../status_error.ts";
import { representationOf } from "./representation.ts";

const METADATA = ";g=meta.k8s.io;v=v1";

for (
  const [accept, many, form, isYaml] of [
    [null, true, "object", false],
    ["*/*", true, "object", false],
    ["application/vnd.kubernetes.protobuf,application/json", true, "object", false],
    ["application/yaml", false, "object", true],
    [`application/json;as=Table${METADATA},application/json`, true, "table", false],
    [`application/json;as=PartialObjectMetadataList${METADATA}`, true, "metadata", false],
    [`application/json;as=PartialObjectMetadata${METADATA},application/json`, false, "metadata", false],
    [`application/json;as=PartialObjectMetadata${METADATA},application/json`, true, "object", false],
  ] as const
) {
  Deno.test(`representationOf: ${accept} for ${many ? "a list" : "an object"} is ${form}`, () => {
    assertEquals(representationOf(accept, many), { form, isYaml });
  });
}

for (
  const [accept, message] of [
    ["application/vnd.kubernetes.protobuf", "only the following media types are accepted"],
    ["text/html", "only the following media types are accepted"],
    [`application/json;as=PartialObjectMetadata${METADATA}`, "the requested object is a list"],
  ] as const
) {
  Deno.test(`representationOf: refuses ${accept} for a list`, () => {
    const { status } = assertThrows(() => representationOf(accept, true), StatusError, message);
    assertEquals([status.code, status.reason], [406, "NotAcceptable"]);
  });
}

const COLLECTION = "/api/v1/namespaces/a/configmaps";

function requestPath(api: ApiServer, path: string, init: RequestInit = {}): Promise<Response> {
  return api.handler(new Request(`http://kubernetes.internal${path}`, init));
}

async function apiWithObject(): Promise<ApiServer> {
  const api = createApiServer({ storePath: ":memory:" });
  const body = JSON.stringify({ metadata: { name: "c", labels: { x: "y" } }, data: { a: "1" } });
  await requestPath(api, COLLECTION, { method: "POST", body });
  return api;
}

Deno.test("representation: lists, objects and events contain only metadata if requested", async () => {
  const api = await apiWithObject();
  const accept = (as: string) => ({ headers: { accept: `application/json;as=${as}${METADATA},application/json` } });
  const list = await (await requestPath(api, COLLECTION, accept("PartialObjectMetadataList"))).json();
  assertEquals([list.kind, list.apiVersion], ["PartialObjectMetadataList", "meta.k8s.io/v1"]);
  const [{ metadata, ...item }] = list.items;
  assertEquals([metadata.labels, item], [{ x: "y" }, { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" }]);
  const single = accept("PartialObjectMetadata");
  const object = await (await requestPath(api, `${COLLECTION}/c`, single)).json();
  assertEquals(object, { ...item, metadata });
  const initial = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const events = await requestPath(api, `${COLLECTION}?${initial}`, single);
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
  assertEquals(JSON.parse((await reader.read()).value!), { type: "ADDED", object });
  const { type, object: bookmark } = JSON.parse((await reader.read()).value!);
  assertEquals([type, bookmark.kind, bookmark.apiVersion], ["BOOKMARK", item.kind, item.apiVersion]);
  await reader.cancel();
  const headers = { ...single.headers, "content-type": "application/merge-patch+json" };
  const body = JSON.stringify({ metadata: { labels: { x: "z" } } });
  const patched = await (await requestPath(api, `${COLLECTION}/c`, { method: "PATCH", headers, body })).json();
  assertEquals([patched.kind, patched.data, patched.metadata.labels], [item.kind, undefined, { x: "z" }]);
  api.close();
});

Deno.test("representation: a table contains the requested parts of objects", async () => {
  const api = await apiWithObject();
  const headers = { accept: `application/json;as=Table${METADATA}` };
  const objectOf = async (query: string) =>
    (await (await requestPath(api, COLLECTION + query, { headers })).json()).rows[0].object;
  assertEquals((await objectOf("")).kind, "PartialObjectMetadata");
  assertEquals((await objectOf("?includeObject=Object")).data, { a: "1" });
  assertEquals(await objectOf("?includeObject=None"), undefined);
  assertEquals((await requestPath(api, `${COLLECTION}?includeObject=All`, { headers })).status, 400);
  api.close();
});

Deno.test("representation: objects are YAML if requested", async () => {
  const api = await apiWithObject();
  const response = await requestPath(api, `${COLLECTION}/c`, { headers: { accept: "application/yaml" } });
  assertEquals(response.headers.get("content-type"), "application/yaml");
  assertMatch(await response.text(), /^data:\n {2}a: "1"$/m);
  api.close();
});

for (
  const [query, message] of [
    ["watch=1&sendInitialEvents=true", "requires setting resourceVersionMatch to NotOlderThan"],
    ["watch=1&resourceVersionMatch=NotOlderThan", "forbidden for watch unless sendInitialEvents is provided"],
    ["sendInitialEvents=true", "sendInitialEvents is forbidden for list"],
    ["resourceVersionMatch=Exact", "forbidden unless resourceVersion is provided"],
    [
      "resourceVersionMatch=Exact&resourceVersion=0",
      'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
  ]
) {
  Deno.test(`list options: an invalid combination is refused: ${query}`, async () => {
    const api = await apiWithObject();
    const response = await requestPath(api, `${COLLECTION}?${query}`);
    assertEquals([response.status, String((await response.json()).message).endsWith(message!)], [422, true]);
    api.close();
  });
}
