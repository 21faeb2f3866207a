/** The form of a cron workflow's status, which other programs read: the counters and the phase are always there. */
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

Deno.test("a status that is written has both counters and a phase, as Argo's has", () => {
  const draft = new CronDraft(cronWith());
  draft.annotate("used", "* * * * *");
  assertEquals(draft.done().status, { succeeded: 0, failed: 0, phase: "" });
});

Deno.test("a status without counters is not written for their sake", () => {
  for (const cron of [cronWith(), cronWith({ phase: "Active" })]) assertStrictEquals(new CronDraft(cron).done(), cron);
});

Deno.test("the counters, the phase and the active workflows of before stay when something else is written", () => {
  const draft = new CronDraft(cronWith({ succeeded: 4, failed: 1, phase: "Active", active: [CHILD] }));
  draft.setCondition("SpecError", "wrong");
  const conditions = [{ type: "SpecError" as const, status: "True" as const, message: "wrong" }];
  assertEquals(draft.done().status, { succeeded: 4, failed: 1, phase: "Active", active: [CHILD], conditions });
});

Deno.test("a list of active workflows that became empty goes, and one of conditions stays, as Argo leaves them", () => {
  const conditions = [{ type: "SpecError" as const, status: "True" as const, message: "wrong" }];
  const draft = new CronDraft(cronWith({ succeeded: 0, failed: 0, phase: "Active", active: [CHILD], conditions }));
  draft.removeActive(() => true);
  draft.setCondition("SpecError", undefined);
  assertEquals(draft.done().status, { succeeded: 0, failed: 0, phase: "Active", conditions: [] });
});

Deno.test("a status as Argo's controller leaves it is not written again", () => {
  const cron = cronWith({ succeeded: 0, failed: 0, phase: "", conditions: [] });
  const draft = new CronDraft(cron);
  draft.setCondition("SpecError", undefined);
  assertStrictEquals(draft.done(), cron);
});

Deno.test("a condition that is true for another reason keeps its place among the others", () => {
  const draft = new CronDraft(cronWith());
  draft.setCondition("SpecError", "one");
  draft.setCondition("SubmissionError", "two");
  draft.setCondition("SpecError", "three");
  assertEquals(draft.status.conditions?.map(({ type, message }) => [type, message]), [
    ["SpecError", "three"],
    ["SubmissionError", "two"],
  ]);
});

Deno.test("a condition quotes the part of a long text that has room in an object", () => {
  const draft = new CronDraft(cronWith());
  draft.setCondition("SpecError", "cron schedule ".padEnd(600_000, "* "));
  const { message = "" } = draft.done().status?.conditions?.[0] ?? {};
  assertEquals([message.length, message.slice(0, 16)], [8193, "cron schedule * "]);
});
