import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "../../../lib/api/mod.ts";
import { handlerTransport, KubeClient } from "../../../lib/kube/mod.ts";
import { record, workflowPatch } from "./record.ts";
import { StoredNodes } from "./stored_nodes.ts";

const node = (id: string, phase: NodeStatus["phase"]): NodeStatus => ({ id, name: id, type: "Pod", phase });

function workflow(nodes: Record<string, NodeStatus>, labels: Record<string, string> = {}): Workflow {
  return {
    metadata: { name: "w", namespace: "n", resourceVersion: "7", labels },
    spec: {},
    status: { phase: "Running", nodes },
  };
}

Deno.test("workflowPatch() is nothing when nothing changed", () => {
  const before = workflow({ a: node("a", "Running") });
  assertEquals(workflowPatch(before, before, new Set()), undefined);
  assertEquals(workflowPatch(before, { ...before, status: { ...before.status } }, new Set(["a"])), undefined);
});

Deno.test("workflowPatch() holds the changed fields of the changed nodes, on the version that was read", () => {
  const before = workflow({ a: node("a", "Running"), b: node("b", "Running") });
  const after = {
    ...before,
    status: {
      ...before.status,
      nodes: { ...before.status!.nodes, a: node("a", "Succeeded"), c: node("c", "Pending") },
    },
  };
  assertEquals(workflowPatch(before, after, new Set(["a", "b", "c"])), {
    metadata: { resourceVersion: "7" },
    status: { nodes: { a: { phase: "Succeeded" }, c: node("c", "Pending") } },
  });
});

Deno.test("workflowPatch() says null for what is gone", () => {
  const before = { ...workflow({}), status: { phase: "Running" as const, message: "waits" } };
  const after = { ...before, status: { phase: "Running" as const } };
  assertEquals(workflowPatch(before, after, new Set(["a", "b", "c"])), {
    metadata: { resourceVersion: "7" },
    status: { message: null },
  });
});

Deno.test("workflowPatch() adds labels beside those that are there", () => {
  const before = workflow({}, { a: "1" });
  const after = { ...before, metadata: { ...before.metadata, labels: { a: "1", b: "2" } } };
  assertEquals(workflowPatch(before, after, new Set(["a", "b", "c"])), {
    metadata: { labels: { b: "2" }, resourceVersion: "7" },
  });
});

const WRITTEN_BY: Readonly<Record<string, [managedFields: Record<string, unknown>[] | undefined, sent: unknown]>> = {
  "nobody that is known": [undefined, [{}]],
  "somebody who created it": [[{ manager: "kubectl-create", operation: "Update" }], [{}]],
  "somebody who applies it server-side": [[
    { manager: "kubectl-create", operation: "Update" },
    { manager: "argocd", operation: "Apply" },
  ], undefined],
};

for (const [who, [managedFields, sent]] of Object.entries(WRITTEN_BY)) {
  const does = sent ? "has the server forget" : "leaves to the server";
  Deno.test(`record() ${does} who wrote the fields of a workflow written by ${who}`, async () => {
    const patches: { metadata: { managedFields?: unknown } }[] = [];
    const client = new KubeClient(handlerTransport(async (request) => {
      patches.push(await request.json());
      return Response.json({ metadata: { resourceVersion: "8" } });
    }));
    const before = workflow({});
    const metadata = { ...before.metadata, ...(managedFields ? { managedFields } : {}) };
    const after = { ...before, metadata, status: { ...before.status, nodes: { a: node("a", "Running") } } } as Workflow;
    await record(client, before, { workflow: after, touched: new Set(["a"]) }, new StoredNodes(false));
    assertEquals(patches.map(({ metadata }) => metadata.managedFields), [sent]);
  });
}
