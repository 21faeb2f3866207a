import { assert, assertEquals } from "@std/assert";
import { countedReads } from "../../base/testing/counted_reads.ts";
import type { NodeStatus } from "@tiphys/model/api";
import { planRetry } from "./retry_plan.ts";

Deno.test("planRetry: terminates if boundaries form a cycle, as in manually edited statuses", () => {
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
      isSelected: () => false,
      mustExpandAgain: false,
    });
    assertEquals([plan.isEmpty, plan.removed.has("pod")], [false, true]);
  }
});

Deno.test("planRetry: terminates if nodes are hooks of each other", () => {
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
  const plan = planRetry({ workflowName: "w", nodes, isSelected: () => false, mustExpandAgain: false });
  assertEquals([[...plan.reopened], [...plan.removed].sort()], [["w"], ["a", "b"]]);
});

Deno.test("planRetry: omitted nodes run again unless a later node is kept, in linear time for 20,000 nodes in a row", () => {
  const rest = 20_000;
  const reads = { count: 0 };
  const row = (phaseOf: (index: number) => NodeStatus["phase"]) =>
    planRetry({
      workflowName: "w",
      nodes: Object.fromEntries([
        { id: "w", name: "w", type: "DAG" as const, phase: "Failed" as const, children: ["0"] },
        ...Array.from({ length: rest }, (_, index): NodeStatus => ({
          id: String(index),
          name: `w.${index}`,
          type: index === 0 ? "DAG" : phaseOf(index) === "Omitted" ? "Skipped" : "Pod",
          phase: phaseOf(index),
          boundaryID: "w",
          children: index + 1 < rest ? [String(index + 1)] : [],
        })),
      ].map((node) => [node.id, countedReads(node, reads)])),
      isSelected: () => false,
      mustExpandAgain: false,
    });
  assertEquals(row((index) => index === 0 ? "Failed" : "Omitted").removed.size, rest);
  // The workflow continued after all nodes but the last.
  assertEquals([...row(() => "Failed").removed], [String(rest - 1)]);
  assertEquals(row((index) => index === rest - 1 ? "Succeeded" : index === 0 ? "Failed" : "Omitted").removed.size, 0);
  assert(reads.count < 3 * 100 * rest, `${reads.count} reads`);
});

Deno.test("planRetry: 4,000 failures followed by 4,000 omitted nodes are visited once each", () => {
  const count = 4_000;
  const node = (id: string, more: Partial<NodeStatus>): NodeStatus => ({
    id,
    name: id === "w" ? "w" : `w.${id}`,
    type: "Pod",
    phase: "Failed",
    ...(id === "w" ? {} : { boundaryID: "w" }),
    ...more,
  });
  const all = Array.from({ length: count }, (_, index) => [
    node(`failed${index}`, { children: ["omitted0"] }),
    node(`omitted${index}`, {
      type: "Skipped",
      phase: "Omitted",
      children: index + 1 < count ? [`omitted${index + 1}`] : [],
    }),
  ]).flat();
  const reads = { count: 0 };
  const nodes = Object.fromEntries(
    [node("w", { type: "DAG" }), ...all].map((created) => [created.id, countedReads(created, reads)]),
  );
  const plan = planRetry({ workflowName: "w", nodes, isSelected: () => false, mustExpandAgain: false });
  assertEquals([plan.removed.size, [...plan.reopened]], [2 * count, ["w"]]);
  assert(reads.count < 2 * 100 * count, `${reads.count} reads`);
});

Deno.test("planRetry: a call that failed while it waited for a lock starts from scratch", () => {
  const node = (id: string, more: Partial<NodeStatus> = {}): NodeStatus => ({
    id,
    name: id === "w" ? "w" : `w.${id}`,
    type: "DAG",
    phase: "Failed",
    ...(id === "w" ? {} : { boundaryID: "w" }),
    ...more,
  });
  const nodes = [
    node("w", { children: ["waited", "began"] }),
    node("waited"),
    node("began", { children: ["pod"] }),
    node("pod", { type: "Pod", boundaryID: "began" }),
  ];
  const plan = planRetry({
    workflowName: "w",
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    isSelected: () => false,
    mustExpandAgain: false,
  });
  assertEquals([[...plan.removed], [...plan.reopened]], [["waited", "pod"], ["w", "began"]]);
});

Deno.test("planRetry: omitted nodes of a DAG that is kept are kept", () => {
  const node = (id: string, more: Partial<NodeStatus>): NodeStatus => ({
    id,
    name: id === "w" ? "w" : `w.${id}`,
    type: "DAG",
    phase: "Failed",
    ...(id === "w" ? {} : { boundaryID: "w" }),
    ...more,
  });
  const nodes = [
    node("w", { children: ["kept", "failed", "omitted"] }),
    node("kept", { phase: "Succeeded", children: ["inside"] }),
    node("inside", { type: "Skipped", phase: "Omitted", boundaryID: "kept" }),
    node("failed", { type: "Pod" }),
    node("omitted", { type: "Skipped", phase: "Omitted" }),
  ];
  const plan = planRetry({
    workflowName: "w",
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    isSelected: () => false,
    mustExpandAgain: false,
  });
  assertEquals([[...plan.removed], [...plan.reopened]], [["failed", "omitted"], ["w"]]);
});

Deno.test("planRetry: daemons that other steps may use are restarted, those of exit handlers are not", () => {
  const pod = (id: string, name: string, more: Partial<NodeStatus> = {}): NodeStatus => ({
    id,
    name,
    type: "Pod",
    phase: "Failed",
    boundaryID: "w",
    ...more,
  });
  const group = (id: string, index: number, phase: NodeStatus["phase"], children: string[]): NodeStatus => ({
    id,
    name: `w[${index}]`,
    type: "StepGroup",
    phase,
    boundaryID: "w",
    children,
  });
  const hooked = { nodeFlag: { hooked: true } };
  const w: NodeStatus = { id: "w", name: "w", type: "Steps", phase: "Failed", children: ["first"] };
  const nodes = Object.fromEntries(
    [
      w,
      group("first", 0, "Succeeded", ["server", "step"]),
      pod("server", "w[0].server", { phase: "Succeeded", children: ["second"] }),
      pod("step", "w[0].step", { phase: "Succeeded", children: ["handler", "retriedHandler", "second"] }),
      pod("handler", "w[0].step.hooks.a", hooked),
      pod("retriedHandler", "w[0].step.onExit", { ...hooked, type: "Retry", children: ["attempt"] }),
      pod("attempt", "w[0].step.onExit(0)", { nodeFlag: { retried: true } }),
      group("second", 1, "Failed", ["broken"]),
      pod("broken", "w[1].broken"),
    ].map((node) => [node.id, node]),
  );
  const plan = planRetry({
    workflowName: "w",
    nodes,
    isSelected: () => false,
    isDaemon: ({ id }) => ["server", "handler", "attempt"].includes(id),
    mustExpandAgain: false,
  });
  assertEquals([[...plan.restarted], [...plan.removed]], [["server"], ["broken"]]);
});
