/**
 * Tests of the form of a cron workflow's status, which other programs read: the counters and the phase are always
 * present.
 */
import { assertEquals, assertStrictEquals } from "@std/assert";
import type { CronWorkflow, CronWorkflowStatus } from "@tiphys/model/api";
import { API_VERSION } from "@tiphys/base/constants";
import { CronDraft } from "./draft.ts";

function cronWith(status?: CronWorkflowStatus): CronWorkflow {
  return {
    apiVersion: API_VERSION,
    kind: "CronWorkflow",
    metadata: { name: "c" },
    spec: { schedules: ["* * * * *"], workflowSpec: {} },
    ...(status && { status }),
  };
}

const CHILD = { name: "c-1", namespace: "ns", uid: "u-1" };

Deno.test("cron status: contains both counters and a phase when written, as in Argo", () => {
  const draft = new CronDraft(cronWith());
  draft.annotate("used", "* * * * *");
  assertEquals(draft.toCronWorkflow().status, { succeeded: 0, failed: 0, phase: "" });
});

Deno.test("cron status: missing counters alone do not cause a write", () => {
  for (const cron of [cronWith(), cronWith({ phase: "Active" })]) {
    assertStrictEquals(new CronDraft(cron).toCronWorkflow(), cron);
  }
});

Deno.test("cron status: keeps counters, phase and active workflows when something else is written", () => {
  const draft = new CronDraft(cronWith({ succeeded: 4, failed: 1, phase: "Active", active: [CHILD] }));
  draft.setCondition("SpecError", "wrong");
  const conditions = [{ type: "SpecError" as const, status: "True" as const, message: "wrong" }];
  assertEquals(draft.toCronWorkflow().status, {
    succeeded: 4,
    failed: 1,
    phase: "Active",
    active: [CHILD],
    conditions,
  });
});

Deno.test("cron status: an empty list of active workflows is removed, and an empty list of conditions stays, as in Argo", () => {
  const conditions = [{ type: "SpecError" as const, status: "True" as const, message: "wrong" }];
  const draft = new CronDraft(cronWith({ succeeded: 0, failed: 0, phase: "Active", active: [CHILD], conditions }));
  draft.removeActive(() => true);
  draft.setCondition("SpecError", undefined);
  assertEquals(draft.toCronWorkflow().status, { succeeded: 0, failed: 0, phase: "Active", conditions: [] });
});

Deno.test("cron status: a status in the form of Argo's controller is not rewritten", () => {
  const cron = cronWith({ succeeded: 0, failed: 0, phase: "", conditions: [] });
  const draft = new CronDraft(cron);
  draft.setCondition("SpecError", undefined);
  assertStrictEquals(draft.toCronWorkflow(), cron);
});

Deno.test("cron status: a condition keeps its position when its reason changes", () => {
  const draft = new CronDraft(cronWith());
  draft.setCondition("SpecError", "one");
  draft.setCondition("SubmissionError", "two");
  draft.setCondition("SpecError", "three");
  assertEquals(draft.status.conditions?.map(({ type, message }) => [type, message]), [
    ["SpecError", "three"],
    ["SubmissionError", "two"],
  ]);
});

Deno.test("cron status: a condition truncates a long text to a size that an object can store", () => {
  const draft = new CronDraft(cronWith());
  draft.setCondition("SpecError", "cron schedule ".padEnd(600_000, "* "));
  const { message = "" } = draft.toCronWorkflow().status?.conditions?.[0] ?? {};
  assertEquals([message.length, message.slice(0, 16)], [8193, "cron schedule * "]);
});
