import { assertEquals } from "@std/assert";
import { createApiServer } from "../mod.ts";

const PATCH = "failed to create typed patch object (n/a; argoproj.io/v1alpha1, Kind=Workflow): ";

const refused: [string, unknown, string][] = [
  [
    "an object where a list belongs",
    { arguments: { parameters: { name: "p", value: "v" } } },
    `${PATCH}.spec.arguments.parameters: expected list, got &{map[name:p value:v]}`,
  ],
  [
    "a text where a list belongs",
    { templates: "none" },
    `${PATCH}.spec.templates: expected list, got &{none}`,
  ],
  [
    "a list where an object belongs",
    { templates: [{ name: "t", container: [1, { a: true }] }] },
    `${PATCH}.spec.templates[0].container: expected map, got &{[1 map[a:true]]}`,
  ],
  [
    "a list where a map belongs",
    { nodeSelector: ["a"] },
    `${PATCH}.spec.nodeSelector: expected map, got &{[a]}`,
  ],
  [
    "several at once",
    { templates: {}, volumes: 5 },
    `${PATCH}errors:\n  .spec.templates: expected list, got &{map[]}\n  .spec.volumes: expected list, got &{5}`,
  ],
];
for (const [what, spec, expected] of refused) {
  Deno.test(`apply: refuses ${what} as Kubernetes does, and creates nothing`, async () => {
    using api = server();
    assertEquals(await api.apply(spec), [500, expected]);
    assertEquals(await api.status(), 404);
  });
}

Deno.test("apply: accepts a valid shape, including empty fields", async () => {
  using api = server();
  const [status] = await api.apply({ entrypoint: "a", templates: null, volumes: [], nodeSelector: {} });
  assertEquals(status, 201);
});

function server() {
  const api = createApiServer({ storePath: ":memory:" });
  const url = "http://api/apis/argoproj.io/v1alpha1/namespaces/n/workflows/a";
  return {
    async apply(spec: unknown): Promise<[number, string | undefined]> {
      const body = {
        apiVersion: "argoproj.io/v1alpha1",
        kind: "Workflow",
        metadata: { name: "a", namespace: "n" },
        spec,
      };
      const headers = { "Content-Type": "application/apply-patch+yaml" };
      const request = new Request(`${url}?fieldManager=test`, { method: "PATCH", headers, body: JSON.stringify(body) });
      const answer = await api.handler(request);
      return [answer.status, (await answer.json()).message];
    },
    async status(): Promise<number> {
      const answer = await api.handler(new Request(url));
      await answer.body?.cancel();
      return answer.status;
    },
    [Symbol.dispose]: () => api.close(),
  };
}
