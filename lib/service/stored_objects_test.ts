import { assertEquals, assertRejects } from "@std/assert";
import { storedWorkflow } from "@tiphys/model/api";
import { classifyError, KubeClient, type Transport, WORKFLOWS } from "@tiphys/kube";
import { ActionError } from "@tiphys/engine/workflow_actions";
import { ClusterService } from "./cluster_service.ts";
import { StoredObjects } from "./stored_objects.ts";

const READABLE = { metadata: { name: "a", namespace: "n" }, spec: {} };
const BROKEN = {
  metadata: { name: "b", namespace: "n" },
  spec: {},
  status: { phase: "Running", nodes: { x: { id: "x" } } },
};
const WHY = "the Workflow b cannot be read: status.nodes.x.name is required";
const ROW = { metadata: BROKEN.metadata, spec: {}, status: { phase: "Error" as const, message: WHY } };

/** A client of a cluster that accepts workflows of any shape and has these two. `requests` records other requests. */
function cluster(requests: string[] = []): KubeClient {
  const answer = (path: string): unknown => {
    if (path.includes("watch=true")) return { type: "MODIFIED", object: BROKEN };
    if (/\/b(\?|$)/.test(path)) return BROKEN;
    return { items: [READABLE, BROKEN], metadata: {} };
  };
  const transport: Transport = {
    fetch(path, init) {
      if (init?.method !== "GET") requests.push(`${init?.method} ${path} ${init?.body}`);
      return Promise.resolve(new Response(JSON.stringify(answer(path))));
    },
    webSocket: () => Promise.reject(new Error("no sockets here")),
    close() {},
  };
  return new KubeClient(transport);
}

Deno.test("StoredObjects: a workflow that cannot be parsed is an item of a list, and an error if requested alone", async () => {
  const workflows = new StoredObjects(cluster(), WORKFLOWS, storedWorkflow);
  assertEquals((await workflows.list("n")).items, [READABLE, ROW]);
  for await (const change of workflows.watch("n", {}, new AbortController().signal)) {
    assertEquals(change, { type: "MODIFIED", object: ROW });
  }
  const error = await assertRejects(() => workflows.get("n", "b"), ActionError, WHY);
  assertEquals(classifyError(error), "fatal");
});

Deno.test("StoredObjects: a workflow that cannot be parsed can be ended, but not written otherwise", async () => {
  const asked: string[] = [];
  const service = new ClusterService(cluster(asked));
  await service.terminate("n", "b");
  await assertRejects(() => service.retry("n", "b"), ActionError, WHY);
  assertEquals(asked, [
    'PATCH /apis/argoproj.io/v1alpha1/namespaces/n/workflows/b {"metadata":{},"spec":{"shutdown":"Terminate"}}',
  ]);
});
