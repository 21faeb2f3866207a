import { assertEquals, assertStrictEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { validateRun } from "./read_run.ts";
import { nodeListOf } from "./run_nodes.ts";

function runOf(nodes: Record<string, NodeStatus>): Workflow {
  return { metadata: { name: "w" }, spec: {}, status: { nodes } };
}

const POD: NodeStatus = { id: "a", name: "a", type: "Pod" };

Deno.test("nodeListOf: creates the list once, and reading a run creates it", () => {
  const run = runOf({ a: POD });
  assertEquals(nodeListOf(run), [POD]);
  assertStrictEquals(nodeListOf({ ...run, metadata: {} }), nodeListOf(run));
  const work = validateRun(runOf({ a: POD, b: { id: "b" } as NodeStatus }));
  let step = work.next();
  while (!step.done) step = work.next();
  assertEquals(nodeListOf(step.value), Object.values(step.value.status!.nodes!));
  assertEquals(nodeListOf(step.value).map(({ id }) => id), ["a", "b"]);
});
