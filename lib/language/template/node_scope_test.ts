import { assertEquals } from "@std/assert";
import { nodeScope, type ScopeNode } from "./node_scope.ts";
import { type AttemptNode, retryScope } from "./retry_scope.ts";

const none = new Map<string, ScopeNode>();

Deno.test("nodeScope: returns a node's fields and outputs, without empty ones", () => {
  const node = {
    id: "wf-1",
    type: "Pod",
    phase: "Succeeded",
    podIP: "",
    outputs: {
      result: "",
      exitCode: "0",
      parameters: [{ name: "p", value: "v" }, { name: "none" }],
      artifacts: [{ name: "a" }],
    },
  };
  const { values, artifacts } = nodeScope("steps.s", node, none);
  assertEquals(Object.fromEntries(values), {
    "steps.s.id": "wf-1",
    "steps.s.status": "Succeeded",
    "steps.s.outputs.result": "",
    "steps.s.exitCode": "0",
    "steps.s.outputs.parameters.p": "v",
  });
  assertEquals([...artifacts], [["steps.s.outputs.artifacts.a", { name: "a" }]]);
});

Deno.test("nodeScope: a Retry node has the values of its last attempt, not those of hooks or later nodes", () => {
  const nodes = new Map<string, ScopeNode>([
    ["c0", { id: "c0", phase: "Failed", nodeFlag: { retried: true } }],
    ["c1", { id: "c1", phase: "Succeeded", nodeFlag: { retried: true } }],
    ["h", { id: "h", phase: "Succeeded", nodeFlag: { hooked: true } }],
    ["next", { id: "next", phase: "Succeeded" }],
  ]);
  const retry = { id: "r", type: "Retry", phase: "Running", children: ["c0", "c1", "h", "next"] };
  assertEquals(nodeScope("steps.s", retry, nodes).values.get("steps.s.id"), "c1");
  assertEquals(nodeScope("steps.s", { ...retry, children: [] }, nodes).values.get("steps.s.id"), "r");
});

Deno.test("nodeScope: a Retry node with outputs from a cache has its own outputs", () => {
  const nodes = new Map<string, ScopeNode>([["c0", { id: "c0", phase: "Failed" }]]);
  const retry = { id: "r", type: "Retry", phase: "Succeeded", children: ["c0"], memoizationStatus: { hit: true } };
  assertEquals(nodeScope("steps.s", retry, nodes).values.get("steps.s.id"), "r");
});

Deno.test("retryScope: an attempt that ended without a start has the longest possible duration", () => {
  const attempt = { id: "c0", phase: "Error", finishedAt: "2024-01-01T00:00:12Z", nodeFlag: { retried: true } };
  const scope = retryScope(
    { id: "r", type: "Retry", children: ["c0"] },
    new Map<string, AttemptNode>([["c0", attempt]]),
  );
  assertEquals(scope.get("lastRetry.duration"), "9.223372036854776e+09");
});

Deno.test("retryScope: `retries` is the number of attempts less one, and `lastRetry` is the last attempt", () => {
  const nodes = new Map<string, AttemptNode>([
    ["c0", { id: "c0", phase: "Failed", nodeFlag: { retried: true } }],
    ["c1", {
      id: "c1",
      phase: "Error",
      nodeFlag: { retried: true },
      message: "OOM",
      startedAt: "2024-01-01T00:00:00Z",
      finishedAt: "2024-01-01T00:00:12Z",
    }],
    ["h", { id: "h", phase: "Succeeded", nodeFlag: { hooked: true } }],
  ]);
  assertEquals(Object.fromEntries(retryScope({ id: "r", type: "Retry", children: ["c0", "c1", "h"] }, nodes)), {
    "retries": "1",
    "lastRetry.exitCode": "-1",
    "lastRetry.status": "Error",
    "lastRetry.duration": "12",
    "lastRetry.message": "OOM",
  });
});

Deno.test("retryScope: the duration of an attempt is exact to the nanosecond", () => {
  const attempt = {
    id: "c",
    nodeFlag: { retried: true },
    startedAt: "2024-01-01T00:00:00.5Z",
    finishedAt: "2024-01-01T00:00:01.000000001Z",
  };
  const scope = retryScope({ id: "r", type: "Retry", children: ["c"] }, new Map([["c", attempt]]));
  assertEquals(scope.get("lastRetry.duration"), "0.500000001");
});

Deno.test("retryScope: is empty before the first attempt", () => {
  assertEquals(retryScope({ id: "r" }, new Map()).size, 0);
});
