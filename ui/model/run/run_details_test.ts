import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { actorOf, creatorOf, originsOf, reportedConditionsOf } from "./run_details.ts";

function run(labels: Readonly<Record<string, string>>, spec: Workflow["spec"] = {}): Workflow {
  const named = Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [`workflows.argoproj.io/${name}`, value]),
  );
  return { metadata: { name: "w", namespace: "data", labels: named }, spec };
}

Deno.test("originsOf: lists schedule, template, binding and resubmitted run without duplicates", () => {
  const made = run({
    "cron-workflow": "nightly",
    "workflow-template": "etl",
    "workflow-event-binding": "push",
    "resubmitted-from-workflow": "w-0",
  }, { workflowTemplateRef: { name: "etl" } });
  assertEquals(originsOf(made), [
    { name: "nightly", page: { kind: "cron", namespace: "data", name: "nightly" } },
    { name: "etl", page: { kind: "template", namespace: "data", name: "etl" } },
    { name: "push", page: { kind: "events", list: "workflow-event-bindings", namespace: "data", name: "push" } },
    { name: "w-0", page: { kind: "run", namespace: "data", name: "w-0" } },
  ]);
  assertEquals(originsOf(run({}, { workflowTemplateRef: { name: "all", clusterScope: true } })), [
    { name: "all", page: { kind: "cluster-template", name: "all" } },
  ]);
  assertEquals(originsOf(run({})), []);
});

Deno.test("creatorOf and actorOf: return the most readable name", () => {
  assertEquals(creatorOf(run({ "creator": "u1", "creator-email": "ann.at.b.c" })), "ann@b.c");
  assertEquals(creatorOf(run({})), undefined);
  assertEquals(actorOf(run({ actor: "u1", "actor-preferred-username": "ann", action: "Resume" })), "ann (Resume)");
});

Deno.test("reportedConditionsOf: lists conditions that report problems, not those that reflect progress", () => {
  const conditions = [
    { type: "PodRunning", status: "True" },
    { type: "Completed", status: "True" },
    { type: "SpecWarning", status: "True", message: "old field" },
    { type: "MetricsError", status: "True", message: "no such metric" },
    { type: "ArtifactGCError", status: "False", message: "" },
  ] as const;
  assertEquals(reportedConditionsOf({ status: { conditions: [...conditions] } } as unknown as Workflow), [
    { type: "SpecWarning", message: "old field", isError: false },
    { type: "MetricsError", message: "no such metric", isError: true },
  ]);
});
