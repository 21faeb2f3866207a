import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "../api/mod.ts";
import { firstFailure } from "./first_failure.ts";

const at = (second: number) => `2026-01-01T00:00:0${second}Z`;

function workflow(...nodes: readonly (Pick<NodeStatus, "name" | "type" | "phase"> & Partial<NodeStatus>)[]): Workflow {
  const all = nodes.map((node) => [node.name, { id: node.name, ...node }] as const);
  return { metadata: { name: "w" }, spec: {}, status: { nodes: Object.fromEntries(all) } };
}

Deno.test("firstFailure: returns the earliest node that did work, not one that failed because of it", () => {
  const found = firstFailure(workflow(
    { name: "w", type: "DAG", phase: "Failed", finishedAt: at(1) },
    { name: "late", type: "Pod", phase: "Error", finishedAt: at(5) },
    { name: "early", type: "Pod", phase: "Failed", finishedAt: at(3) },
  ));
  assertEquals(found?.name, "early");
});

Deno.test("firstFailure: ignores an attempt before a successful one", () => {
  const found = firstFailure(workflow(
    { name: "try", type: "Retry", phase: "Succeeded", children: ["try(0)", "try(1)"] },
    { name: "try(0)", type: "Pod", phase: "Failed", finishedAt: at(1) },
    { name: "try(1)", type: "Pod", phase: "Succeeded", finishedAt: at(2) },
    { name: "bad", type: "Pod", phase: "Failed", finishedAt: at(3) },
  ));
  assertEquals(found?.name, "bad");
});

Deno.test("firstFailure: a node after a call with cached outputs is not its attempt", () => {
  const found = firstFailure(workflow(
    {
      name: "try",
      type: "Retry",
      phase: "Succeeded",
      memoizationStatus: { hit: true, key: "k", cacheName: "c" },
      children: ["next"],
    },
    { name: "next", type: "Pod", phase: "Failed", finishedAt: at(1) },
    { name: "other", type: "Pod", phase: "Failed", finishedAt: at(3) },
  ));
  assertEquals(found?.name, "next");
});

Deno.test("firstFailure: attempts of a call that finally failed are failures, as are those in nodes that continued", () => {
  const first = firstFailure(workflow(
    { name: "try", type: "Retry", phase: "Failed", children: ["try(0)", "try(1)"] },
    { name: "try(0)", type: "Pod", phase: "Failed", finishedAt: at(2) },
    { name: "try(1)", type: "Pod", phase: "Failed", finishedAt: at(3) },
  ));
  assertEquals(first?.name, "try(0)");
  const found = firstFailure(workflow(
    { name: "w", type: "Steps", phase: "Succeeded", children: ["passed over"] },
    { name: "passed over", type: "Pod", phase: "Failed", finishedAt: at(1) },
  ));
  assertEquals(found?.name, "passed over");
});

Deno.test("firstFailure: returns the first by name of failures at the same time", () => {
  const names = ["b", "a", "c"];
  const found = firstFailure(workflow(
    ...names.map((name) => ({ name, type: "Pod", phase: "Failed", finishedAt: at(1) }) as const),
  ));
  assertEquals(found?.name, "a");
});
