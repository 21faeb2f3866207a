import { assert, assertEquals } from "@std/assert";
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import { type KubeObject, NAMESPACES, SECRETS } from "@tiphys/kube";
import { ArtifactStore } from "./artifacts/mod.ts";
import { artifactsFolder } from "./data_files.ts";
import { openStore, removeData } from "./data_folder.ts";
import { serveArtifacts } from "./embedded_artifacts.ts";

const { name } = EMBEDDED_STORE.secret;

Deno.test("embedded artifacts: every namespace has its own credentials, also a later one and one whose Secret was changed", async () => {
  const dataDir = await Deno.makeTempDir();
  const keys = new Map<string, unknown>();
  for (let start = 0; start < 2; start++) {
    const api = await openStore(dataDir);
    {
      await using _artifacts = await serveArtifacts(api, { dataDir });
      const client = api.client();
      if (start === 0) {
        await client.create<KubeObject>(NAMESPACES, undefined, {
          apiVersion: "v1",
          kind: "Namespace",
          metadata: { name: "later" },
        });
      }
      for (const namespace of ["default", "argo", "later"]) {
        const secret = await client.get<KubeObject & { data: Record<string, string> }>(SECRETS, namespace, name);
        // The Secret also has the address of the store, which may change with each start.
        const { endpoint, ...data } = secret.data;
        assertEquals(atob(endpoint ?? "").startsWith("127.0.0.1:"), true, endpoint);
        assertEquals(Object.keys(data), [EMBEDDED_STORE.secret.accessKey, EMBEDDED_STORE.secret.secretKey]);
        if (start > 0) assertEquals(data, keys.get(namespace));
        keys.set(namespace, data);
      }
      assertEquals(new Set([...keys.values()].map((data) => JSON.stringify(data))).size, 3);
      await client.patch(SECRETS, "argo", name, { data: { [EMBEDDED_STORE.secret.secretKey]: "AAAA" } });
    }
    api.close();
  }
  assert((await Deno.stat(artifactsFolder(dataDir))).isDirectory);
  await removeData(dataDir);
  assertEquals(await Deno.stat(dataDir).then(() => true, () => false), false);
});

Deno.test("embedded artifacts: the artifacts of a namespace that was deleted while the store was stopped are removed at the next start", async () => {
  const dataDir = await Deno.makeTempDir();
  const folder = artifactsFolder(dataDir);
  const put = async (store: ArtifactStore, namespace: string) => {
    using received = await store.receive(new Blob([namespace]).stream());
    store.put(namespace, "k", received, {});
  };
  {
    await using store = await ArtifactStore.open({ folder });
    await put(store, "gone");
    await put(store, "default");
  }
  const api = await openStore(dataDir);
  {
    await using _artifacts = await serveArtifacts(api, { dataDir });
  }
  api.close();
  {
    await using store = await ArtifactStore.open({ folder });
    assertEquals(store.index.object("gone", "k"), undefined);
    assertEquals(store.index.object("default", "k")?.size, "default".length);
    assertEquals(store.index.namespaces(), ["default"]);
  }
  await Deno.remove(dataDir, { recursive: true });
});
