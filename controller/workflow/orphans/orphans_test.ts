import { assertEquals } from "@std/assert";
import type { Pod } from "../../../lib/api/mod.ts";
import { FINALIZER, LABEL } from "../../../lib/constants.ts";
import { KubeClient, PODS } from "../../../lib/kube/mod.ts";
import { createApiServer } from "../../../local/api/mod.ts";
import { silentLog } from "../../../lib/log.ts";
import { Orphans } from "./orphans.ts";

const WORKFLOW = { metadata: { name: "w", namespace: "default", uid: "ours" } };

/** Whether a pod that is being deleted is still there when all was done for it; its workflow is there, and goes on. */
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

Deno.test("Orphans lets the pods of a namespace go that is being removed, though their workflow is not (IL-72)", async () => {
  assertEquals(await isKept({ deletionTimestamp: "2026-01-01T00:00:00Z" }), false);
});

Deno.test("Orphans leaves a pod that is being deleted to the passes of its workflow", async () => {
  assertEquals(await isKept({}), true);
});
