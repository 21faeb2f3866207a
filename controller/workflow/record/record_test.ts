import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { handlerTransport, KubeClient } from "@tiphys/kube";
import { NodeTable } from "../../../lib/engine/nodes/node_table.ts";
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

Deno.test("workflowPatch(): returns undefined if nothing changed", () => {
  const before = workflow({ a: node("a", "Running") });
  assertEquals(workflowPatch(before, before, new Map()), undefined);
  assertEquals(
    workflowPatch(before, { ...before, status: { ...before.status } }, new Map([["a", before.status!.nodes!.a!]])),
    undefined,
  );
});

Deno.test("workflowPatch(): contains the changed fields of the changed nodes, on the version that was read", () => {
  const before = workflow({ a: node("a", "Running"), b: node("b", "Running") });
  const changed = new Map([
    ["a", node("a", "Succeeded")],
    ["b", before.status!.nodes!.b!],
    ["c", node("c", "Pending")],
  ]);
  assertEquals(workflowPatch(before, before, changed), {
    metadata: { resourceVersion: "7" },
    status: { nodes: { a: { phase: "Succeeded" }, c: node("c", "Pending") } },
  });
});

Deno.test("workflowPatch(): sets removed fields to null", () => {
  const before = { ...workflow({}), status: { phase: "Running" as const, message: "waits" } };
  const after = { ...before, status: { phase: "Running" as const } };
  assertEquals(workflowPatch(before, after, new Map()), {
    metadata: { resourceVersion: "7" },
    status: { message: null },
  });
});

Deno.test("workflowPatch(): adds labels to the existing ones", () => {
  const before = workflow({}, { a: "1" });
  const after = { ...before, metadata: { ...before.metadata, labels: { a: "1", b: "2" } } };
  assertEquals(workflowPatch(before, after, new Map()), {
    metadata: { labels: { b: "2" }, resourceVersion: "7" },
  });
});

const WRITTEN_BY: Readonly<Record<string, [managedFields: Record<string, unknown>[] | undefined, sent: unknown]>> = {
  "an unknown client": [undefined, [{}]],
  "the client that created it": [[{ manager: "kubectl-create", operation: "Update" }], [{}]],
  "server-side apply": [[
    { manager: "kubectl-create", operation: "Update" },
    { manager: "argocd", operation: "Apply" },
  ], undefined],
};

for (const [who, [managedFields, sent]] of Object.entries(WRITTEN_BY)) {
  const does = sent ? "drops" : "keeps";
  Deno.test(`record(): ${does} the field owners of a workflow written by ${who}`, async () => {
    const patches: { metadata: { managedFields?: unknown } }[] = [];
    const client = new KubeClient(handlerTransport(async (request) => {
      patches.push(await request.json());
      return Response.json({ metadata: { resourceVersion: "8" } });
    }));
    const before = workflow({});
    const metadata = { ...before.metadata, ...(managedFields ? { managedFields } : {}) };
    const table = new NodeTable("w", {});
    table.set(node("a", "Running"));
    const head = { ...before, metadata } as Workflow;
    await record(client, before, { head, nodes: table.snapshot() }, new StoredNodes(false));
    assertEquals(patches.map(({ metadata }) => metadata.managedFields), [sent]);
  });
}

Deno.test("record(): returns the workflow as written, and does not change the one that was read", async () => {
  const client = new KubeClient(
    handlerTransport(() => Promise.resolve(Response.json({ metadata: { resourceVersion: "8" } }))),
  );
  const read = workflow({ a: node("a", "Running"), b: node("b", "Running") });
  const stored = new StoredNodes(false);
  let latest = read;
  let table: NodeTable | undefined;
  for (const id of ["a", "b", "c"]) {
    table = NodeTable.reuseOrCreate("w", latest.status!.nodes, table);
    table.set(node(id, "Succeeded"));
    latest = await record(client, latest, { head: latest, nodes: table.snapshot() }, stored);
  }
  const phases = ({ status }: Workflow) => Object.values(status!.nodes!).map(({ id, phase }) => `${id} ${phase}`);
  assertEquals(phases(latest), ["a Succeeded", "b Succeeded", "c Succeeded"]);
  assertEquals(phases(read), ["a Running", "b Running"]);
  assertEquals([latest.metadata.resourceVersion, read.metadata.resourceVersion], ["8", "7"]);
});
