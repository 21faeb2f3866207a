import { assertEquals } from "@std/assert";
import { courseOf } from "./ceiling.ts";
import { type Load, workflowsOf } from "./loads.ts";

function sizes(load: Load): number[][] {
  return workflowsOf(load, "argo").map((workflow) => courseOf(workflow).waves.map(({ length }) => length));
}

Deno.test("the ceiling of a load has the pods of its workflows, in the order in which they depend on each other", () => {
  assertEquals(sizes({ kind: "chain", size: 3 }), [[1, 1, 1]]);
  assertEquals(sizes({ kind: "drain", size: 2 }), [[1], [1]]);
  assertEquals(sizes({ kind: "fan-out", size: 7 }), [[7]]);
  assertEquals(sizes({ kind: "dag", size: 30 }), [[10, 10, 10]]);
});

Deno.test("the course of a workflow ends with the status that its controller would write last", () => {
  const [workflow] = workflowsOf({ kind: "dag", size: 20 }, "argo");
  const { end, waves } = courseOf(workflow!);
  assertEquals([end.status?.phase, Object.keys(end.status?.nodes ?? {}).length], ["Succeeded", 21]);
  assertEquals(end.metadata.labels?.["workflows.argoproj.io/completed"], "true");
  assertEquals(waves[0]?.[0]?.status, undefined);
});
