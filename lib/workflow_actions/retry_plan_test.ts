import { assertEquals } from "@std/assert";
import type { NodeStatus } from "../api/mod.ts";
import { planRetry } from "./retry_plan.ts";

Deno.test("a retry is planned, too, where boundaries lead in a circle, as only a status written by hand has them", () => {
  const node = (id: string, boundaryID: string, more: Partial<NodeStatus> = {}): NodeStatus => ({
    id,
    name: id === "w" ? "w" : `w.${id}`,
    type: "DAG",
    phase: "Failed",
    boundaryID,
    ...more,
  });
  const nodes = { w: node("w", "inner", { children: ["inner"] }), inner: node("inner", "w", { children: ["pod"] }) };
  const own = { w: node("w", "w", { children: ["pod"] }) };
  for (const holders of [nodes, own]) {
    const pod = node("pod", Object.keys(holders).at(-1)!, { type: "Pod" });
    const plan = planRetry({
      workflowName: "w",
      nodes: { ...holders, pod },
      chosen: () => false,
      expandAnew: false,
    });
    assertEquals([plan.isEmpty, plan.removed.has("pod")], [false, true]);
  }
});

Deno.test("a retry is planned, too, where nodes are hooks of each other", () => {
  const hook = (id: string, child: string): NodeStatus => ({
    id,
    name: `w.${id}`,
    type: "Pod",
    phase: "Failed",
    nodeFlag: { hooked: true },
    boundaryID: "w",
    children: [child],
  });
  const w: NodeStatus = { id: "w", name: "w", type: "DAG", phase: "Failed", children: ["a"] };
  const nodes = { w, a: hook("a", "b"), b: hook("b", "a") };
  const plan = planRetry({ workflowName: "w", nodes, chosen: () => false, expandAnew: false });
  assertEquals([[...plan.reopened], [...plan.removed].sort()], [["w"], ["a", "b"]]);
});
