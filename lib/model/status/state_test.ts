import { assertEquals } from "@std/assert";
import type { NodePhase, NodeStatus } from "../api/mod.ts";
import { attemptsOf, lastAttempt } from "./attempts.ts";
import { isActiveSuspend, isCompleted, isFulfilled, isOver, templateNameOf } from "./node_state.ts";
import { nodeTypesOf } from "./node_role.ts";
import { timeText } from "./time.ts";
import { hasFinished, isSuspended } from "./workflow_state.ts";

const PHASES: readonly NodePhase[] = ["Pending", "Running", "Succeeded", "Skipped", "Failed", "Error", "Omitted"];

Deno.test("isOver: a skipped or omitted node has ended but is not completed", () => {
  assertEquals(PHASES.filter((phase) => isOver({ phase })), ["Succeeded", "Skipped", "Failed", "Error", "Omitted"]);
  assertEquals(PHASES.filter((phase) => isCompleted({ phase })), ["Succeeded", "Failed", "Error"]);
});

Deno.test("isOver: a node without its report has not ended", () => {
  assertEquals(isOver({ phase: "Succeeded", taskResultSynced: false }), false);
  assertEquals(isOver({ phase: "Succeeded", taskResultSynced: true }), true);
});

Deno.test("isFulfilled: a running daemon is fulfilled, a pending one is not", () => {
  assertEquals(isFulfilled({ phase: "Running", daemoned: true }), true);
  assertEquals(isFulfilled({ phase: "Pending", daemoned: true }), false);
  assertEquals(isFulfilled({ phase: "Running" }), false);
});

Deno.test("isActiveSuspend: a suspend node waits while it runs", () => {
  assertEquals(isActiveSuspend({ type: "Suspend", phase: "Running" }), true);
  assertEquals(isActiveSuspend({ type: "Suspend", phase: "Succeeded" }), false);
  assertEquals(isActiveSuspend({ type: "Pod", phase: "Running" }), false);
});

Deno.test("hasFinished: requires a final phase and an end time", () => {
  const finished = (phase: "Running" | "Failed", finishedAt?: string) =>
    hasFinished({ metadata: {}, spec: {}, status: { phase, finishedAt } });
  assertEquals(finished("Failed", "2026-01-01T00:00:00Z"), true);
  assertEquals(finished("Failed"), false);
  assertEquals(finished("Running", "2026-01-01T00:00:00Z"), false);
});

Deno.test("isSuspended: a workflow is suspended as a whole, or by a waiting node", () => {
  const waiting = { id: "n", name: "n", displayName: "n", type: "Suspend", phase: "Running" } as const;
  assertEquals(isSuspended({ metadata: {}, spec: { suspend: true } }), true);
  assertEquals(isSuspended({ metadata: {}, spec: {}, status: { nodes: { n: waiting } } }), true);
  assertEquals(isSuspended({ metadata: {}, spec: {} }), false);
});

Deno.test("templateNameOf: the template of another object takes precedence", () => {
  assertEquals(templateNameOf({ templateRef: { name: "shared", template: "ask" }, templateName: "other" }), "ask");
  assertEquals([templateNameOf({ templateName: "own" }), templateNameOf({})], ["own", ""]);
});

const children: ReadonlyMap<string, Pick<NodeStatus, "id" | "nodeFlag">> = new Map([
  ["first", { id: "first", nodeFlag: { retried: true } }],
  ["last", { id: "last", nodeFlag: { retried: true } }],
  ["hook", { id: "hook", nodeFlag: { hooked: true } }],
]);
const retry = { type: "Retry", children: ["first", "gone", "last", "hook"] };

Deno.test("attemptsOf: hooks and missing nodes are not attempts", () => {
  assertEquals(attemptsOf(retry, children).map(({ id }) => id), ["first", "last"]);
  assertEquals(lastAttempt(retry, children)?.id, "last");
});

Deno.test("lastAttempt: is undefined for a Retry node with cached outputs, and for other nodes", () => {
  assertEquals(lastAttempt({ ...retry, memoizationStatus: { hit: true } }, children), undefined);
  assertEquals(lastAttempt({ ...retry, type: "Steps" }, children), undefined);
});

Deno.test("nodeTypesOf: returns the types of nodes with one of the roles", () => {
  assertEquals([...nodeTypesOf("agent", "group")].sort(), ["HTTP", "Plugin", "StepGroup", "TaskGroup"]);
});

Deno.test("timeText: formats whole seconds in UTC", () => {
  assertEquals(timeText(new Date("2026-01-01T01:00:00.999+01:00")), "2026-01-01T00:00:00Z");
});
