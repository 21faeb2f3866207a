import { assertEquals, assertThrows } from "@std/assert";
import { CONFIGMAPS, KubeClient } from "@tiphys/kube";
import { connectKubeconfig } from "@tiphys/kube/connections";
import { createApiServer } from "./api/mod.ts";
import { kubeconfigFile, kubeconfigOf, writeKubeconfig } from "./kubeconfig.ts";

Deno.test("writeKubeconfig: writes a kubeconfig that connects to the cluster and that only this user can read", async () => {
  const folder = await Deno.makeTempDir();
  const api = createApiServer({ storePath: ":memory:" });
  const served = await api.serve(0, { tls: true });
  try {
    await writeKubeconfig(folder, served);
    assertEquals((await Deno.stat(kubeconfigFile(folder))).mode! & 0o777, 0o600);
    const { transport, namespace } = await connectKubeconfig({ kubeconfig: kubeconfigFile(folder) });
    const client = new KubeClient(transport);
    await client.create(CONFIGMAPS, namespace ?? "", { metadata: { name: "a" } });
    client.close();
    assertEquals((await api.client().list(CONFIGMAPS, "default")).items.map(({ metadata }) => metadata.name), ["a"]);
  } finally {
    await served.close();
    api.close();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("kubeconfigOf: a cluster without TLS is an error with the reason", () => {
  const plain = { url: "http://127.0.0.1:1", token: "t", caCert: undefined };
  assertThrows(() => kubeconfigOf(plain), Error, "runs without TLS");
});
