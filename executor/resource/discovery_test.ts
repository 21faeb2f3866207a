import { assertEquals, assertRejects } from "@std/assert";
import { apiVersionOf } from "@tiphys/kube/resources";
import { createApiServer } from "../../local/api/mod.ts";
import { ExecutorError } from "../failure.ts";
import { Discovery } from "./discovery.ts";

const api = createApiServer({ storePath: ":memory:" });
const discovery = new Discovery(api.client());

for (
  const [word, meant] of [
    ["po", "v1 pods"],
    ["ConfigMap", "v1 configmaps"],
    ["deploy", "apps/v1 deployments"],
    ["deployments.apps", "apps/v1 deployments"],
    ["deployments.v1.apps", "apps/v1 deployments"],
    ["wf", "argoproj.io/v1alpha1 workflows"],
    ["workflow.argoproj.io", "argoproj.io/v1alpha1 workflows"],
  ] as const
) {
  Deno.test(`findByWord: ${word} means ${meant}`, async () => {
    const found = await discovery.findByWord(word);
    assertEquals(`${apiVersionOf(found)} ${found.plural}`, meant);
  });
}

Deno.test("findByWord: the error names a type that the server does not have", async () => {
  await assertRejects(
    () => discovery.findByWord("foo.bar"),
    ExecutorError,
    'error: the server doesn\'t have a resource type "foo.bar"',
  );
});

Deno.test("findByKind: returns undefined for an unknown kind or version", async () => {
  assertEquals((await discovery.findByKind("batch/v1", "Job"))?.plural, "jobs");
  assertEquals(await discovery.findByKind("batch/v1", "Foo"), undefined);
  assertEquals(await discovery.findByKind("foo/v1", "Job"), undefined);
});
