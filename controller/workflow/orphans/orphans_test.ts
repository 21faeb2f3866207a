import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { FINALIZER, LABEL } from "@tiphys/base/constants";
import { KubeClient, PODS } from "@tiphys/kube";
import { createApiServer } from "../../../local/api/mod.ts";
import { silentLog } from "@tiphys/base/log";
import { retainedWorkflow } from "../observe/finished.ts";
import { awaitFact } from "../../../tests/await_fact.ts";
import { Orphans } from "./orphans.ts";

const WORKFLOW = { metadata: { name: "w", namespace: "default", uid: "ours" } };

/** Whether a pod that is being deleted still exists after its orphan handling; its workflow exists and is running. */
async function isKept(namespace: { readonly deletionTimestamp?: string }): Promise<boolean> {
  const api = createApiServer({ storePath: ":memory:" });
  const { transport } = api.client();
  const client = new KubeClient({
    ...transport,
    fetch(path, init) {
      if (!/\/namespaces\/default$/.test(path)) return transport.fetch(path, init);
      const metadata = { name: "default", ...namespace };
      return Promise.resolve(Response.json({ apiVersion: "v1", kind: "Namespace", metadata }));
    },
  });
  await client.create(PODS, "default", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "p",
      labels: { [LABEL.workflow]: "w" },
      finalizers: [FINALIZER.podStatus],
      ownerReferences: [{ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "w", uid: "ours" }],
    },
    spec: { containers: [{ name: "main", image: "busybox" }] },
  });
  await client.delete(PODS, "default", "p");
  const pod = await client.get<Pod>(PODS, "default", "p");
  const orphans = new Orphans({ client, log: silentLog, workflowAt: () => WORKFLOW, podNow: () => pod });
  orphans.onPod(pod);
  await orphans.close();
  const { items } = await client.list(PODS, "default");
  api.close();
  return items.length > 0;
}

Deno.test("orphans: pods of a namespace that is being deleted are released, even if their workflow is not deleted (IL-72)", async () => {
  assertEquals(await isKept({ deletionTimestamp: "2026-01-01T00:00:00Z" }), false);
});

Deno.test("orphans: a pod that is being deleted is left to the passes of its workflow", async () => {
  assertEquals(await isKept({}), true);
});

/** A pod of a finished workflow that has ended, and the requests to the API server about it. */
async function endedPod() {
  const api = createApiServer({ storePath: ":memory:" });
  const { transport } = api.client();
  const patches: string[] = [];
  const client = new KubeClient({
    ...transport,
    fetch(path, init) {
      if (init?.method === "PATCH") patches.push(path);
      return transport.fetch(path, init);
    },
  });
  const pod = await client.create<Pod>(PODS, "default", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", labels: { [LABEL.workflow]: "w" }, finalizers: [FINALIZER.podStatus] },
    spec: { containers: [{ name: "main", image: "busybox" }] },
  });
  const workflow = retainedWorkflow({
    metadata: { ...WORKFLOW.metadata, labels: { [LABEL.completed]: "true" } },
    status: { phase: "Succeeded" },
  });
  return {
    client,
    pod: { ...pod, status: { phase: "Succeeded" } } as Pod,
    patches,
    workflowAt: () => workflow,
    [Symbol.dispose]: () => api.close(),
  };
}

Deno.test("orphans: the pod of a finished workflow is released when no other request is pending, and the result is recorded", async () => {
  using world = await endedPod();
  const { client, pod, patches, workflowAt } = world;
  const other = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<Pod | undefined>();
  const asked = Promise.withResolvers<void>();
  const busy = new KubeClient({
    ...client.transport,
    async fetch(path, init) {
      if (path.endsWith("/other")) await other.promise;
      return await client.transport.fetch(path, init);
    },
  });
  const first = busy.request("GET", "/api/v1/namespaces/default/configmaps/other").catch(() => {});
  const orphans = new Orphans({
    client: busy,
    log: silentLog,
    workflowAt,
    podNow: () => pod,
    finishing() {
      asked.resolve();
      return answered.resolve;
    },
  });
  orphans.onPod(pod);
  await asked.promise;
  await awaitFact("it waits for the other request", () => busy.isBackgroundWaiting, { seconds: 30 });
  assertEquals(patches, []);
  other.resolve();
  await first;
  const { labels, finalizers } = (await answered.promise)!.metadata;
  assertEquals([patches.length, labels?.[LABEL.completed], finalizers ?? []], [1, "true", []]);
  await orphans.close();
});

Deno.test("orphans: a pod that a pass is releasing is left unchanged", async () => {
  using world = await endedPod();
  const { client, pod, patches, workflowAt } = world;
  const asked: string[] = [];
  const orphans = new Orphans({
    client,
    log: silentLog,
    workflowAt,
    podNow: () => pod,
    finishing: ({ metadata }) => void asked.push(metadata.name!),
  });
  orphans.onPod(pod);
  await orphans.close();
  assertEquals([asked, patches], [["p"], []]);
});
