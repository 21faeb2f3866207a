import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { momentsOf, runAt } from "./replay.ts";

const START = Date.UTC(2026, 0, 1);
const at = (second: number) => new Date(START + second * 1000).toISOString();

function node(id: string, from: number, to: number, more: Partial<NodeStatus> = {}): NodeStatus {
  return {
    id,
    name: id,
    displayName: id,
    type: "Pod",
    phase: "Succeeded",
    startedAt: at(from),
    finishedAt: at(to),
    outputs: { exitCode: "0" },
    ...more,
  };
}

const RUN: Workflow = {
  metadata: { name: "x" },
  spec: {},
  status: {
    phase: "Failed",
    message: "b failed",
    startedAt: at(0),
    finishedAt: at(30),
    progress: "2/2",
    nodes: {
      x: node("x", 0, 30, { type: "DAG", phase: "Failed", children: ["a", "b"] }),
      a: node("a", 0, 10),
      b: node("b", 10, 30, { phase: "Failed", message: "exit code 1" }),
    },
  },
};

Deno.test("runAt: nodes that ended later are running, and nodes that started later are missing", () => {
  const { status } = runAt(RUN, START + 5000);
  assertEquals([status?.phase, status?.message, status?.finishedAt], ["Running", undefined, undefined]);
  assertEquals(Object.values(status?.nodes ?? {}).map(({ id, phase, outputs }) => [id, phase, outputs?.exitCode]), [
    ["x", "Running", undefined],
    ["a", "Running", undefined],
  ]);
  assertEquals(status?.nodes?.x?.children, ["a"]);
  assertEquals(runAt(RUN, START + 15_000).status?.nodes?.a?.phase, "Succeeded");
});

Deno.test("runAt: at its end a run is in its current state", () => {
  assertEquals(runAt(RUN, START + 30_000), RUN);
  assertEquals(momentsOf(RUN, START + 99_000), { from: START, to: START + 30_000 });
});
