import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "../../lib/api/mod.ts";
import { workflowPatch } from "./record.ts";

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
