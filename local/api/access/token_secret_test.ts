import { assertEquals } from "@std/assert";
import { type KubeObject, SECRETS } from "@tiphys/kube";
import { createApiServer } from "../mod.ts";

const SECRET = {
  apiVersion: "v1",
  kind: "Secret",
  type: "kubernetes.io/service-account-token",
  metadata: { name: "token", annotations: { "kubernetes.io/service-account.name": "default" } },
};

Deno.test("token Secrets: are filled however they are created, and keep the token when applied again", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  const apply = () => client.patch<KubeObject>(SECRETS, "default", "token", SECRET, "apply", { fieldManager: "me" });
  const data = async () => (await client.get<KubeObject>(SECRETS, "default", "token")).data as Record<string, string>;
  await apply();
  const first = await data();
  assertEquals(Object.keys(first).sort(), ["ca.crt", "namespace", "token"]);
  await apply();
  assertEquals(await data(), first);
  await client.delete(SECRETS, "default", "token");
  await client.create(SECRETS, "default", SECRET);
  assertEquals(Object.keys(await data()).sort(), ["ca.crt", "namespace", "token"]);
  api.close();
});
