import { assertEquals } from "@std/assert";
import { CONFIGMAPS } from "@tiphys/kube";
import { createApiServer } from "../../api/mod.ts";
import { apiLookup, type Content } from "./lookup.ts";

const AUTHORITY = "kube-root-ca.crt";

function textOf(content: Content | undefined): string | undefined {
  const bytes = content?.get("ca.crt");
  return bytes && new TextDecoder().decode(bytes);
}

Deno.test("lookup: the authority of the API server is in every namespace, even without its ConfigMap", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  try {
    const client = api.client();
    const lookup = apiLookup(client, "PEM");
    assertEquals(textOf(await lookup.configMap("default", AUTHORITY)), "PEM");
    assertEquals(await lookup.configMap("default", "another"), undefined);

    await client.create(CONFIGMAPS, "default", { metadata: { name: AUTHORITY }, data: { "ca.crt": "mine" } });
    assertEquals(textOf(await lookup.configMap("default", AUTHORITY)), "mine");
  } finally {
    api.close();
  }
});

Deno.test("lookup: without an authority, there is no ConfigMap for it", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  try {
    assertEquals(await apiLookup(api.client()).configMap("default", AUTHORITY), undefined);
  } finally {
    api.close();
  }
});
