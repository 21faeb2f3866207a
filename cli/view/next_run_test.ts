import { assertEquals } from "@std/assert";
import type { CronWorkflow } from "@tiphys/model/api";
import { nextRunText, nextTimeText } from "./next_run.ts";

const NOW = new Date("2026-11-22T09:30:00Z");

function cron(schedules: readonly string[], timezone?: string): CronWorkflow {
  return { metadata: { name: "c" }, spec: { schedules, timezone } } as unknown as CronWorkflow;
}

Deno.test("next run: is the earliest time of all schedules, in their time zone", () => {
  assertEquals(nextRunText(cron(["0 12 * * *"]), NOW), "2h");
  assertEquals(nextRunText(cron(["0 12 * * *", "45 * * * *"]), NOW), "15m");
  assertEquals(nextRunText(cron(["0 12 * * *"], "Asia/Tokyo"), NOW), "17h");
  assertEquals(
    nextTimeText(cron(["45 * * * *"]), NOW),
    "Sun Nov 22 09:45:00 +0000 (15 minutes from now) (assumes workflow-controller is in UTC)",
  );
});

Deno.test("next run: is undefined for a suspended or stopped cron workflow", () => {
  const { metadata, spec } = cron(["0 12 * * *"]);
  assertEquals(nextRunText({ metadata, spec: { ...spec, suspend: true } }, NOW), undefined);
  assertEquals(nextTimeText({ metadata, spec, status: { phase: "Stopped" } }, NOW), undefined);
  assertEquals(nextRunText({ metadata, spec, status: { phase: "Active" } }, NOW), "2h");
});

Deno.test("next run: is undefined for an invalid schedule, or one without a future time", () => {
  assertEquals(nextRunText(cron(["every day"]), NOW), undefined);
  assertEquals(nextRunText(cron(["0 12 * * *", "every day"]), NOW), undefined);
  assertEquals(nextRunText(cron(["0 0 30 2 *"]), NOW), undefined);
  assertEquals(nextTimeText(cron([]), NOW), undefined);
});
