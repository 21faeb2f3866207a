import { assertEquals } from "@std/assert";
import { courseOf } from "./ceiling.ts";
import { type Load, workflowsOf } from "./loads.ts";

function sizes(load: Load): number[][] {
  return workflowsOf(load, "argo").map((workflow) => courseOf(workflow).waves.map(({ length }) => length));
}

Deno.test("ceiling: creates the pods of the workflows, in order of their dependencies", () => {
  assertEquals(sizes({ kind: "chain", size: 3 }), [[1, 1, 1]]);
  assertEquals(sizes({ kind: "drain", size: 2 }), [[1], [1]]);
  assertEquals(sizes({ kind: "fan-out", size: 7 }), [[7]]);
  assertEquals(sizes({ kind: "dag", size: 30 }), [[10, 10, 10]]);
});

Deno.test("courseOf: ends with the final status that a controller would write", () => {
  const [workflow] = workflowsOf({ kind: "dag", size: 20 }, "argo");
  const { end, waves } = courseOf(workflow!);
  assertEquals([end.status?.phase, Object.keys(end.status?.nodes ?? {}).length], ["Succeeded", 21]);
  assertEquals(end.metadata.labels?.["workflows.argoproj.io/completed"], "true");
  assertEquals(waves[0]?.[0]?.status, undefined);
});
