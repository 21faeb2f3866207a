import { assertEquals } from "@std/assert";
import type { NodePhase, NodeStatus } from "../api/mod.ts";
import { attemptsOf, lastAttempt } from "./attempts.ts";
import { isActiveSuspend, isCompleted, isFulfilled, isOver, templateNameOf } from "./node_state.ts";
import { isLoop, isPodType, templateType, templateTypes, typeTitle } from "./template_type.ts";
import { timeText } from "./time.ts";
import { hasFinished, isSuspended } from "./workflow_state.ts";

const PHASES: readonly NodePhase[] = ["Pending", "Running", "Succeeded", "Skipped", "Failed", "Error", "Omitted"];

Deno.test("a node that was passed over is over but not completed", () => {
  assertEquals(PHASES.filter((phase) => isOver({ phase })), ["Succeeded", "Skipped", "Failed", "Error", "Omitted"]);
  assertEquals(PHASES.filter((phase) => isCompleted({ phase })), ["Succeeded", "Failed", "Error"]);
});

Deno.test("a node that owes its report is not over", () => {
  assertEquals(isOver({ phase: "Succeeded", taskResultSynced: false }), false);
  assertEquals(isOver({ phase: "Succeeded", taskResultSynced: true }), true);
});

Deno.test("a daemon that is up is fulfilled, and one that is pending is not", () => {
  assertEquals(isFulfilled({ phase: "Running", daemoned: true }), true);
  assertEquals(isFulfilled({ phase: "Pending", daemoned: true }), false);
  assertEquals(isFulfilled({ phase: "Running" }), false);
});

Deno.test("a suspend node waits while it runs", () => {
  assertEquals(isActiveSuspend({ type: "Suspend", phase: "Running" }), true);
  assertEquals(isActiveSuspend({ type: "Suspend", phase: "Succeeded" }), false);
  assertEquals(isActiveSuspend({ type: "Pod", phase: "Running" }), false);
});

Deno.test("a workflow has finished when its phase is final and its end is written", () => {
  const finished = (phase: "Running" | "Failed", finishedAt?: string) =>
    hasFinished({ metadata: {}, spec: {}, status: { phase, finishedAt } });
  assertEquals(finished("Failed", "2026-01-01T00:00:00Z"), true);
  assertEquals(finished("Failed"), false);
  assertEquals(finished("Running", "2026-01-01T00:00:00Z"), false);
});

Deno.test("a workflow is suspended as a whole, or by a node that waits", () => {
  const waiting = { id: "n", name: "n", displayName: "n", type: "Suspend", phase: "Running" } as const;
  assertEquals(isSuspended({ metadata: {}, spec: { suspend: true } }), true);
  assertEquals(isSuspended({ metadata: {}, spec: {}, status: { nodes: { n: waiting } } }), true);
  assertEquals(isSuspended({ metadata: {}, spec: {} }), false);
});

Deno.test("the template of another object goes before the name beside it", () => {
  assertEquals(templateNameOf({ templateRef: { name: "shared", template: "ask" }, templateName: "other" }), "ask");
  assertEquals([templateNameOf({ templateName: "own" }), templateNameOf({})], ["own", ""]);
});

const children: ReadonlyMap<string, Pick<NodeStatus, "id" | "nodeFlag">> = new Map([
  ["first", { id: "first", nodeFlag: { retried: true } }],
  ["last", { id: "last", nodeFlag: { retried: true } }],
  ["hook", { id: "hook", nodeFlag: { hooked: true } }],
]);
const retry = { type: "Retry", children: ["first", "gone", "last", "hook"] };

Deno.test("hooks and nodes that are gone are no attempts", () => {
  assertEquals(attemptsOf(retry, children).map(({ id }) => id), ["first", "last"]);
  assertEquals(lastAttempt(retry, children)?.id, "last");
});

Deno.test("a Retry node that took its outputs from a cache has no last attempt, nor has another node", () => {
  assertEquals(lastAttempt({ ...retry, memoizationStatus: { hit: true } }, children), undefined);
  assertEquals(lastAttempt({ ...retry, type: "Steps" }, children), undefined);
});

Deno.test("the type of a template is the first that it declares", () => {
  assertEquals(templateTypes({ script: { source: "" }, dag: { tasks: [] } }), ["dag", "script"]);
  assertEquals(templateType({ suspend: {} }), "suspend");
  assertEquals(templateType({ name: "empty" }), undefined);
  assertEquals([isPodType("data"), isPodType("suspend"), isPodType(undefined)], [true, false, false]);
  assertEquals(typeTitle("dag"), "DAG");
});

Deno.test("isLoop(): an empty list of items makes a loop, an empty text does not", () => {
  const loops = [{}, { withItems: [] }, { withItems: [1] }, { withParam: "[]" }, { withSequence: { count: "0" } }];
  assertEquals(loops.map(isLoop), [false, true, true, true, true]);
  assertEquals(isLoop({ withParam: "" }), false);
});

Deno.test("timeText() writes whole seconds in UTC", () => {
  assertEquals(timeText(new Date("2026-01-01T01:00:00.999+01:00")), "2026-01-01T00:00:00Z");
});
