import { assertEquals, assertRejects } from "@std/assert";
import { LIMITS } from "@tiphys/base/limits";
import { CONFIGMAPS } from "@tiphys/kube";
import { TextWorker } from "@tiphys/language/text_worker";
import { ServedResources } from "../served_resource.ts";
import { StatusError } from "../status_error.ts";
import { collectionName, Store } from "../store.ts";
import { readPatch } from "./patch_body.ts";
import { patchObject } from "./update.ts";
import { parseWriteFlags } from "./write_request.ts";

const JSON_PATCH = "application/json-patch+json";
const MERGE = "application/merge-patch+json";
const POD = "system:serviceaccount:a:default";
const TARGET = { namespace: "a", name: "c", subresource: undefined };
const items = (count: number) => Array.from({ length: count }, (_, index) => `f${index}/f`);

/** A worker whose tasks are done by the caller and counted. */
class CountedWorker extends TextWorker {
  count = 0;

  override run: TextWorker["run"] = (name, input, options) => {
    this.count++;
    assertEquals(name, "patchedObject");
    return Promise.resolve(options.runHere(input));
  };
}

/** A store with a ConfigMap, and a function that reads a patch of a caller. */
function world(object: object = {}) {
  const store = new Store();
  const resources = new ServedResources();
  const context = { store, resources, now: () => new Date(0) };
  const resource = resources.find("", "v1", "configmaps")!;
  const metadata = { name: TARGET.name, namespace: TARGET.namespace };
  const put = (fields: object) =>
    store.put(collectionName(CONFIGMAPS), { apiVersion: "v1", kind: "ConfigMap", metadata, ...fields });
  put(object);
  const texts = new CountedWorker();
  const read = (type: string, body: unknown, user = POD) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const request = new Request("http://a/", { method: "PATCH", body: text });
    return readPatch(request, type, resource, { texts, caller: { user } });
  };
  const flags = parseWriteFlags(new Request("http://a/"));
  const target = { ...TARGET, resource };
  return {
    put,
    texts,
    read,
    write: (patch: Awaited<ReturnType<typeof read>>) => patchObject(context, target, patch, flags),
  };
}

for (
  const [rule, type, body, user, count] of [
    ["a small patch is applied by the caller", MERGE, { data: { a: "1" } }, POD, 0],
    ["a large patch is applied in the thread", MERGE, { data: { a: "x".repeat(20_000) } }, POD, 1],
    [
      "a small patch that costs much is applied in the thread",
      JSON_PATCH,
      Array.from({ length: 300 }, () => ({ op: "remove", path: "/metadata/finalizers/0" })),
      POD,
      1,
    ],
    ["a large patch of the administrator is applied here", MERGE, { data: { a: "x".repeat(20_000) } }, "admin", 0],
  ] as const
) {
  Deno.test(`patches: ${rule}`, async () => {
    const { texts, read, write } = world({ metadata: { ...TARGET, finalizers: items(5_000) } });
    await write(await read(type, body, user));
    assertEquals(texts.count, count);
  });
}

for (
  const [rule, type, body, code, message] of [
    ["invalid JSON", MERGE, `{"a": ${" ".repeat(20_000)}`, 400, "couldn't get version/kind; parse error:"],
    [
      "too many different keys",
      MERGE,
      { data: Object.fromEntries(Array.from({ length: LIMITS.bodyKeys + 1 }, (_, index) => [index, "1"])) },
      413,
      "Request entity too large: the body has more than",
    ],
    [
      "a result that is too large to store",
      MERGE,
      { data: { a: "x".repeat(2_000_000) } },
      413,
      "etcdserver: request is",
    ],
    ["a missing path", JSON_PATCH, [{ op: "remove", path: `/${"x".repeat(20_000)}` }], 422, "the path does not exist"],
    ["another media type", "text/plain", {}, 415, "unknown format (text/plain)"],
    ["a media type with a name of Object.prototype", "constructor", {}, 415, "unknown format (constructor)"],
  ] as const
) {
  Deno.test(`patches: ${rule} is refused with its status`, async () => {
    const { read, write } = world();
    const error = await assertRejects(async () => await write(await read(type, body)), StatusError, message);
    assertEquals(error.status.code, code);
  });
}

Deno.test("patches: a patch is applied again if the object changes meanwhile, up to a limit", async () => {
  const { put, read, write } = world({ data: { a: "1" } });
  const patch = await read(MERGE, { data: { b: "2" } });
  let attempts = 0;
  const slow = (changes: number) => async (...args: Parameters<typeof patch>) => {
    const patched = await patch(...args);
    if (attempts++ < changes) put({ data: { a: `${attempts}` } });
    return patched;
  };
  assertEquals(JSON.parse((await write(slow(2))).text).data, { a: "2", b: "2" });
  assertEquals(attempts, 3);
  attempts = 0;
  const error = await assertRejects(() => write(slow(Infinity)), StatusError);
  assertEquals([error.status.code, attempts], [409, 5]);
});
