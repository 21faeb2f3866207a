import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { planOf, planText, sumText } from "./bulk_plan.ts";

Deno.test("planText: a run that ended before it had nodes starts from scratch; sumText: counts nodes", () => {
  const run: Workflow = {
    metadata: { name: "w" },
    spec: { workflowTemplateRef: { name: "missing" } },
    status: { phase: "Error", message: "no such template" },
  };
  const plan = planOf(run, new Date("2026-01-01T00:00:00Z"));
  assertEquals(planText(plan), "No node has run yet: the run starts from scratch.");
  assertEquals(sumText([plan]), "0 nodes run again, 0 are kept.");
});
