import { assert, assertEquals, assertThrows } from "@std/assert";
import type { CronWorkflow } from "@tiphys/model/api";
import { validateWorkflow } from "@tiphys/language/validate";
import { planBackfill } from "./backfill.ts";
import { ActionError } from "./error.ts";

const CRON: CronWorkflow = {
  metadata: { name: "nightly", uid: "u" },
  spec: {
    schedules: ["0 0 * * *"],
    workflowSpec: {
      entrypoint: "a",
      templates: [{ name: "a", suspend: {} }],
      arguments: { parameters: [{ name: "own", value: "{{workflow.name}}" }] },
    },
    workflowMetadata: { labels: { team: "x" } },
  },
};

const OPTIONS = {
  name: "Fix1",
  start: new Date("2026-01-01T00:00:00Z"),
  end: new Date("2026-01-04T00:00:00Z"),
  argName: "cronScheduleTime",
  maxWorkflowCount: 1000,
};

function manifestIn(workflow: ReturnType<typeof planBackfill>["workflows"][number] | undefined): string {
  return workflow?.spec.templates?.[1]?.resource?.manifest ?? "";
}

Deno.test("backfill: creates a workflow for each instant after its start, up to and including its end", () => {
  const { workflows, instants } = planBackfill(CRON, { ...OPTIONS, parallel: true });
  assertEquals(instants, [
    "2026-01-02 00:00:00 +0000 UTC",
    "2026-01-03 00:00:00 +0000 UTC",
    "2026-01-04 00:00:00 +0000 UTC",
  ]);
  assertEquals(workflows.length, 1);
  const [maker] = workflows;
  assertEquals(maker?.metadata, {
    generateName: "backfill-wf-",
    labels: { "workflows.argoproj.io/backfill": "nightly" },
  });
  assertEquals(maker?.spec.templates?.[0]?.steps?.[0]?.[0]?.withParam, JSON.stringify(instants));
  const child = JSON.parse(manifestIn(maker));
  assertEquals(child.metadata.generateName, "nightly-backfill-fix1-");
  assertEquals(child.spec.arguments.parameters.at(-1), {
    name: "cronScheduleTime",
    value: "{{inputs.parameters.backfillscheduletime}}",
  });
  assertEquals(child.spec.synchronization, undefined);
  assertEquals(child.metadata.ownerReferences, undefined);
});

Deno.test("backfill: sequential workflows wait for a mutex, the earliest with the highest priority", () => {
  const { workflows: [maker] } = planBackfill(CRON, OPTIONS);
  const items = JSON.parse(maker?.spec.templates?.[0]?.steps?.[0]?.[0]?.withParam ?? "");
  assertEquals(items.map((item: Record<string, unknown>) => item.backfillpriority), [
    2147483647,
    2147483646,
    2147483645,
  ]);
  const manifest = manifestIn(maker);
  assert(manifest.includes('"priority": {{inputs.parameters.backfillpriority}}'), manifest);
  assertEquals(JSON.parse(manifest.replace("{{inputs.parameters.backfillpriority}}", "1")).spec.synchronization, {
    mutexes: [{ name: "Fix1" }],
  });
  assertEquals(validateWorkflow(maker!), []);
});

Deno.test("backfill: combines all schedules in order, without duplicates, in their time zone", () => {
  const cron = {
    ...CRON,
    spec: { ...CRON.spec, schedules: ["0 1 * * *", "0 */12 * * *", "0 0 * * *"], timezone: "Europe/Berlin" },
  };
  const end = new Date("2026-01-02T00:30:00Z");
  assertEquals(planBackfill(cron, { ...OPTIONS, end }).instants, [
    "2026-01-01 11:00:00 +0000 UTC",
    "2026-01-01 23:00:00 +0000 UTC",
    "2026-01-02 00:00:00 +0000 UTC",
  ]);
});

Deno.test("backfill: creates no empty workflow, also if the count divides evenly or is 0, and rejects too many", () => {
  const minutes = { ...CRON, spec: { ...CRON.spec, schedules: ["@every 12h"] } };
  const { workflows, instants } = planBackfill(minutes, { ...OPTIONS, maxWorkflowCount: 2 });
  assertEquals([workflows.length, instants.length], [3, 6]);
  assertEquals(planBackfill(CRON, { ...OPTIONS, end: OPTIONS.start }).workflows, []);
  const often = { ...CRON, spec: { ...CRON.spec, schedules: ["@every 1s"] } };
  assertThrows(
    () => planBackfill(often, { ...OPTIONS, start: new Date(0) }),
    ActionError,
    "fire more than 100000 times",
  );
  assertThrows(() => planBackfill(CRON, { ...OPTIONS, maxWorkflowCount: 0 }), ActionError, "at least 1");
});
