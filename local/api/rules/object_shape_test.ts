import { assertEquals } from "@std/assert";
import { createApiServer } from "../mod.ts";

const table: readonly (readonly [string, string, unknown, string])[] = [
  [
    "labels that are not a map",
    "pods",
    { metadata: { name: "a", labels: "x" } },
    "metadata.labels: expected a map of texts",
  ],
  ["a name that is not a string", "pods", { metadata: { name: 5 } }, "metadata.name: expected a text, got 5"],
  [
    "owners that are not a list",
    "pods",
    { metadata: { ownerReferences: {} } },
    "metadata.ownerReferences: expected a list",
  ],
  [
    "containers that are not a list",
    "pods",
    { spec: { containers: {} } },
    "spec.containers: expected a list of objects, got {}",
  ],
  ["a container that is null", "pods", { spec: { containers: [null] } }, "spec.containers: expected a list of objects"],
  [
    "a mount that is not an object",
    "pods",
    { spec: { containers: [{ volumeMounts: [5] }] } },
    "spec.containers[0].volumeMounts",
  ],
  ["a Secret's data that are not strings", "secrets", { stringData: { a: 5 } }, "stringData: expected a map of texts"],
];

for (const [what, plural, body, words] of table) {
  Deno.test(`object shape: ${what} are refused with the path`, async () => {
    const api = createApiServer({ storePath: ":memory:" });
    const { status, message } = await post(api, `/api/v1/namespaces/n/${plural}`, body);
    assertEquals([status, message.includes(words)], [400, true], message);
    api.close();
  });
}

Deno.test("definitions: a definition that cannot be served is rejected, and the store can be opened again", async () => {
  const folder = await Deno.makeTempDir();
  const api = createApiServer({ storePath: `${folder}/store` });
  const definition = { metadata: { name: "a.b" }, spec: { versions: 5 } };
  const { status } = await post(api, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
  assertEquals(status, 400);
  api.close();
  createApiServer({ storePath: `${folder}/store` }).close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("queries: invalid values of lists and logs are refused", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const pod = { metadata: { name: "p" }, spec: { nodeName: "local", containers: [{ name: "main", image: "i" }] } };
  await post(api, "/api/v1/namespaces/n/pods", pod);
  for (const path of ["pods?limit=many", "pods/p/log?sinceTime=yesterday"]) {
    const answer = await api.handler(new Request(`http://api/api/v1/namespaces/n/${path}`));
    assertEquals([answer.status, (await answer.json()).reason], [400, "BadRequest"]);
  }
  api.close();
});

async function post(api: ReturnType<typeof createApiServer>, path: string, body: unknown) {
  const answer = await api.handler(new Request(`http://api${path}`, { method: "POST", body: JSON.stringify(body) }));
  const { message } = await answer.json() as { message: string };
  return { status: answer.status, message };
}
