import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { FINALIZER, LABEL } from "@tiphys/base/constants";
import { KubeClient, PODS } from "@tiphys/kube";
import { createApiServer } from "../../../local/api/mod.ts";
import { deletePod, releasePod } from "./release_pod.ts";

/** An API server with one pod, and a client that records its requests. */
async function withPod(act: (world: { client: KubeClient; pod: Pod; sent: string[] }) => Promise<void>) {
  const api = createApiServer({ storePath: ":memory:" });
  const { transport } = api.client();
  const sent: string[] = [];
  const client = new KubeClient({
    ...transport,
    fetch(path, init) {
      sent.push(`${init?.method} ${path.replace(/\?.*/, "").split("/").at(-1)} ${init?.body ?? ""}`);
      return transport.fetch(path, init);
    },
  });
  const pod = await api.client().create<Pod>(PODS, "default", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", finalizers: ["others/one", FINALIZER.podStatus], labels: { [LABEL.completed]: "false" } },
    spec: { containers: [{ name: "main", image: "busybox" }] },
  });
  try {
    await act({ client, pod, sent });
  } finally {
    api.close();
  }
}

Deno.test("releasePod(): removes only the controller's finalizer, and adds the label in the same patch, on the version that was read", async () => {
  await withPod(async ({ client, pod, sent }) => {
    await releasePod(client, pod, { completed: true });
    assertEquals(sent.length, 1);
    assertEquals(JSON.parse(sent.join().slice("PATCH p ".length)), {
      metadata: {
        labels: { [LABEL.completed]: "true" },
        managedFields: [{}],
        finalizers: ["others/one"],
        resourceVersion: pod.metadata.resourceVersion,
        uid: pod.metadata.uid,
      },
    });
    const now = await client.get<Pod>(PODS, "default", "p");
    assertEquals([now.metadata.finalizers, now.metadata.labels], [["others/one"], { [LABEL.completed]: "true" }]);
  });
});

Deno.test("releasePod(): keeps the field owners of a pod that is managed by server-side apply", async () => {
  await withPod(async ({ client }) => {
    const config = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", annotations: { a: "b" } } };
    const applied = await client.patch<Pod>(PODS, "default", "p", config, "apply", { fieldManager: "somebody" });
    await releasePod(client, applied, { completed: true });
    const { finalizers, managedFields = [] } = (await client.get<Pod>(PODS, "default", "p")).metadata;
    const operations = managedFields.map((entry) => (entry as { manager: string }).manager);
    assertEquals([finalizers, operations.includes("somebody")], [["others/one"], true]);
  });
});

Deno.test("releasePod(): sends no request if there is nothing to change", async () => {
  await withPod(async ({ client, pod, sent }) => {
    const metadata = { ...pod.metadata, finalizers: ["others/one"] };
    await releasePod(client, { ...pod, metadata }, { completed: false });
    assertEquals(sent, []);
  });
});

Deno.test("releasePod(): reads the pod again after a conflict, and keeps the other change", async () => {
  await withPod(async ({ client, pod }) => {
    await client.patch(PODS, "default", "p", { metadata: { finalizers: ["others/two", FINALIZER.podStatus] } });
    await releasePod(client, pod, { completed: false });
    assertEquals((await client.get<Pod>(PODS, "default", "p")).metadata.finalizers, ["others/two"]);
  });
});

Deno.test("releasePod() and deletePod(): ignore another pod of the same name, and succeed if the pod is gone", async () => {
  await withPod(async ({ client, pod }) => {
    const before = { ...pod, metadata: { ...pod.metadata, uid: "an-earlier-one" } };
    await releasePod(client, before, { completed: true });
    await deletePod(client, before);
    assertEquals((await client.get<Pod>(PODS, "default", "p")).metadata.finalizers, pod.metadata.finalizers);
    await client.patch(PODS, "default", "p", { metadata: { finalizers: null } });
    await client.delete(PODS, "default", "p");
    await releasePod(client, pod, { completed: true });
    await deletePod(client, pod);
  });
});
