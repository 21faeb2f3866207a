/** Journeys on the reasons for which a run waits. */
import { assert } from "@std/assert";
import type { Pod, Workflow } from "@tiphys/model/api";
import type { Journey } from "../journey.ts";
import { played } from "../played/played_journey.ts";
import { growingRun, withVersion } from "../played/played_runs.ts";
import { explain } from "@tiphys/engine/explain";

/** A waiting run, with other fields changed. */
function waiting(name: string, more: Partial<Workflow>): Workflow {
  const run = growingRun(name, 2, "1");
  return withVersion({ ...run, ...more, metadata: { ...run.metadata, ...more.metadata } });
}

const MUTEX = "data/Mutex/load";

export const RUN_REASONS: readonly Journey[] = [
  played("UI-46 waiting node: shows the limit that blocks it, and its holders", "full?tab=tree", (server) => {
    const run = waiting("full", {});
    const [main, work] = run.spec.templates ?? [];
    const free = (main?.dag?.tasks ?? []).map((task) => ({ ...task, dependencies: [] }));
    const spec = { ...run.spec, templates: [{ ...main!, parallelism: 1, dag: { tasks: free } }, work!] };
    server.show({ ...run, spec });
    server.stage.reasons = undefined;
  }, async (page, _server, { expectStatus }) => {
    expectStatus(501);
    await page.getByRole("button", { name: "Why" }).click();
    const reason = page.locator(".reasons li", { hasText: "Slots" }).first();
    await reason.waitFor();
    assert(/parallelism 1 is used by t1/.test(await reason.innerText()), await reason.innerText());
  }),
  played("UI-47 waiting run: links to the run that holds the lock", "held?tab=tree", (server) => {
    const run = waiting("held", {});
    const mutex = { waiting: [{ mutex: MUTEX, holder: "data/etl" }] };
    const message = `Waiting for ${MUTEX} lock. Lock status: 0/1`;
    server.show({ ...run, status: { phase: "Pending", message, synchronization: { mutex } } });
    server.stage.reasons = undefined;
    server.show(growingRun("etl", 2, "1"));
  }, async (page, _server, { expectStatus }) => {
    expectStatus(501);
    await page.getByRole("button", { name: "Why" }).click();
    await page.locator(".reasons a", { hasText: "etl" }).click();
    await page.getByRole("heading", { name: "etl", exact: true }).waitFor();
  }),
  played("UI-48 unschedulable pod: shows the message of the scheduler, and what to do", "stuck", (server) => {
    const run = growingRun("stuck", 2, "1");
    const pending = { ...run.status!.nodes!.n1!, phase: "Pending" as const };
    const shown = { ...run, status: { ...run.status!, nodes: { ...run.status!.nodes!, n1: pending } } };
    server.show(shown);
    const message = "0/3 nodes are available: 3 Insufficient memory.";
    const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }];
    const pod = {
      metadata: { name: "stuck-work-1", annotations: { "workflows.argoproj.io/node-id": "n1" } },
      spec: { containers: [{ name: "main" }] },
      status: { phase: "Pending", conditions },
    } as unknown as Pod;
    server.stage.reasons = explain(shown, { pods: new Map([["n1", pod]]) }, new Date());
  }, async (page) => {
    await page.getByRole("button", { name: "Why" }).click();
    const reason = page.locator(".reasons li", { hasText: "Insufficient memory" });
    await reason.waitFor();
    assert((await reason.innerText()).includes("To unblock:"), await reason.innerText());
  }),
];
