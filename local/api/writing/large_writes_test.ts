import { assert, assertEquals } from "@std/assert";
import { WORKFLOWS } from "@tiphys/kube";
import { LARGE_WRITE_CHARACTERS } from "../limits.ts";
import { createApiServer } from "../mod.ts";

const COLLECTION = "http://kubernetes.internal/apis/argoproj.io/v1alpha1/namespaces/a/workflows";

/** A workflow whose JSON is larger than `LARGE_WRITE_CHARACTERS`. */
function largeWorkflow(name: string, templates: readonly unknown[] = []) {
  const filler = { name: "main", container: { image: "i", args: ["x".repeat(LARGE_WRITE_CHARACTERS)] } };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name },
    spec: { entrypoint: "main", templates: [filler, ...templates] },
  };
}

Deno.test("large writes: a patch applies to an object that others change between its stages", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const send = async (method: string, path: string, body: unknown, type = "application/merge-patch+json") => {
    const headers = { "content-type": type };
    const response = await api.handler(
      new Request(COLLECTION + path, { method, body: JSON.stringify(body), headers }),
    );
    return { status: response.status, body: await response.json() };
  };
  assertEquals((await send("POST", "", largeWorkflow("w"), "application/json")).status, 201);
  const labels = (label: string) => ({ metadata: { labels: { [label]: "1" } } });
  const added = { name: "added", container: { image: "i" } };
  const answers = await Promise.all([
    send("PATCH", "/w", { ...largeWorkflow("w", [added]), ...labels("one") }),
    send("PATCH", "/w", labels("two")),
    send("PATCH", "/w", labels("three")),
  ]);
  assertEquals(answers.map(({ status }) => status), [200, 200, 200]);
  const { metadata, spec } = await api.client().get(WORKFLOWS, "a", "w");
  assertEquals(Object.keys(metadata.labels ?? {}).sort(), ["one", "three", "two"]);
  assertEquals((spec as { readonly templates: readonly unknown[] }).templates.length, 2);
  api.close();
});

Deno.test("large writes: an invalid object is refused like a small one, for each way to write it", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  await api.client().create(WORKFLOWS, "a", largeWorkflow("w"));
  const invalid = largeWorkflow("w", [{ name: 1 }]);
  for (
    const [method, path, type] of [
      ["POST", "", "application/json"],
      ["PUT", "/w", "application/json"],
      ["PATCH", "/w", "application/merge-patch+json"],
      ["PATCH", "/v?fieldManager=a", "application/apply-patch+yaml"],
    ] as const
  ) {
    const metadata = { name: path.startsWith("/v") ? "v" : "w" };
    const body = JSON.stringify({ ...invalid, metadata });
    const response = await api.handler(
      new Request(COLLECTION + path, { method, body, headers: { "content-type": type } }),
    );
    const { message } = await response.json();
    assertEquals([response.status, method], [422, method]);
    assert(message.includes("spec.templates[1].name: Invalid value"), message);
  }
  api.close();
});

Deno.test("large writes: an object with many wrong items names the first ones, and counts the others", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const templates = Array.from({ length: 8000 }, () => ({ name: 1, steps: 5 }));
  const workflow = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w" },
    spec: { templates },
  };
  const messageOf = async (method: string, path: string, type: string) => {
    const headers = { "content-type": type };
    const response = await api.handler(
      new Request(COLLECTION + path, { method, body: JSON.stringify(workflow), headers }),
    );
    return (await response.json()).message as string;
  };
  const created = await messageOf("POST", "", "application/json");
  assert(created.endsWith("spec.templates[4].steps: Invalid value: expected list, got 5, and 15990 more]"), created);
  const applied = await messageOf("PATCH", "/w?fieldManager=a", "application/apply-patch+yaml");
  assert(applied.endsWith("spec.templates[99].steps: expected list, got &{5}\n  and 7900 more"), applied);
  api.close();
});
