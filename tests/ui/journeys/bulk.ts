/** Journeys with actions on several runs. */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { Workflow } from "@tiphys/model/api";
import { WORKFLOWS } from "@tiphys/kube";
import { chooseIn } from "../browser.ts";
import { type Feed, NAMESPACE, seededRun } from "../feed/feed.ts";
import { type Journey, journey } from "../journey.ts";

const tick = (page: Page, name: string) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();

async function seed(feed: Feed, names: readonly string[]): Promise<void> {
  for (const name of names) await feed.run(name);
}

/** The nodes of a failed run: a pod that succeeded, and a later one that failed. */
function failedNodes(run: string): Record<string, unknown> {
  const [startedAt, finishedAt] = ["2026-03-28T11:00:00Z", "2026-03-28T11:01:00Z"];
  const pod = (name: string, phase: string) => ({
    id: `${run}-${name}`,
    name: `${run}.${name}`,
    displayName: name,
    type: "Pod",
    phase,
    boundaryID: run,
    templateName: "main",
    startedAt,
    finishedAt,
  });
  const root = { ...pod("", "Failed"), id: run, name: run, displayName: run, type: "DAG", boundaryID: undefined };
  const pods = [pod("good", "Succeeded"), pod("bad", "Failed")];
  const all = [{ ...root, children: [pods[0]!.id] }, { ...pods[0]!, children: [pods[1]!.id] }, pods[1]!];
  return Object.fromEntries(all.map((node) => [node.id, node]));
}

async function stoppedRuns(feed: Feed): Promise<string[]> {
  const { items } = await feed.client.list<Workflow>(WORKFLOWS, NAMESPACE);
  return items.filter(({ spec }) => spec.shutdown === "Stop").map(({ metadata }) => metadata.name ?? "").sort();
}

/** Creates `count` runs, each a minute older than the previous one. */
async function seedRuns(feed: Feed, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const startedAt = new Date(Date.UTC(2026, 2, 1, 0, count - index)).toISOString().replace(".000", "");
    await feed.run(`etl-${index}`, { startedAt });
  }
}

export const BULK: readonly Journey[] = [
  journey(
    "UI-17 selection: is preserved while the actions load, and in other windows of the list",
    async (scene) => {
      const { feed, page } = scene;
      await seedRuns(feed, 60);
      const held = Promise.withResolvers<void>();
      await page.route(/assets\/bulk_actions-/, async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.goto(`${feed.url}workflows/data`);
      await tick(page, "etl-1");
      const bar = page.locator(".bulk");
      await bar.getByText("1 selected").waitFor();
      const height = (await bar.boundingBox())!.height;
      await page.getByRole("link", { name: "Next" }).click();
      await tick(page, "etl-55");
      await bar.getByText("2 selected").waitFor();
      held.resolve();
      await page.getByRole("button", { name: "Stop…" }).waitFor();
      await bar.getByText("2 selected").waitFor();
      assertEquals((await bar.boundingBox())!.height, height);
      await page.getByRole("button", { name: "Stop…" }).click();
      await page.getByRole("button", { name: "Stop 2 runs" }).click();
      await page.getByText("Stopped 2").waitFor();
      assertEquals(await stoppedRuns(feed), ["etl-1", "etl-55"]);
    },
  ),
  journey("UI-17 stop: stops exactly the selected runs, and the dialog counts their pods", async (scene) => {
    const { feed, open, page, settled } = scene;
    await seed(feed, ["etl-1", "etl-2", "etl-3", "etl-4"]);
    await open(`${feed.url}workflows/data`);
    for (const name of ["etl-1", "etl-2", "etl-4"]) await tick(page, name);
    await page.getByRole("button", { name: "Stop…" }).click();
    // Two of three nodes of each run are incomplete.
    await page.getByText("Up to 6 pods end; exit handlers still run.").waitFor();
    await page.getByRole("button", { name: "Stop 3 runs" }).click();
    await page.getByText("Stopped 3").waitFor();
    await settled();
    assertEquals(await stoppedRuns(feed), ["etl-1", "etl-2", "etl-4"]);
  }),
  journey("UI-18 delete: is not sent if it is undone", async ({ feed, open, page }) => {
    await seed(feed, ["etl-1", "etl-2"]);
    await open(`${feed.url}workflows/data`);
    await page.getByRole("checkbox", { name: "Select all rows" }).check();
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete 2 runs" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("2 selected").waitFor();
    assertEquals(feed.seen.filter(({ method }) => method === "DELETE"), []);
  }),
  journey(
    "UI-18 selection: all runs of a filter can be selected, also those not shown, and actions are sent after a delay",
    async (scene) => {
      const { feed, open, page } = scene;
      await seedRuns(feed, 60);
      await feed.run("web-1");
      await open(`${feed.url}workflows/data?Prefix=etl`);
      await page.getByRole("checkbox", { name: "Select all rows" }).check();
      await page.getByText("50 selected").waitFor();
      await page.getByRole("button", { name: "Select all 60" }).click();
      await page.getByText("60 selected").waitFor();
      await page.getByRole("button", { name: "Delete…" }).click();
      await page.getByRole("button", { name: "Delete 60 runs" }).click();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("60 selected").waitFor();
      assertEquals(feed.seen.filter(({ method }) => method === "DELETE"), []);
      await page.getByRole("button", { name: "Suspend" }).click();
      await page.getByText("Suspended 60").waitFor();
      const { items } = await feed.client.list<Workflow>(WORKFLOWS, NAMESPACE);
      const held = items.filter(({ spec }) => spec.suspend === true).map(({ metadata }) => metadata.name);
      assertEquals([held.length, held.includes("web-1")], [60, false]);
    },
  ),
  journey(
    "UI-18 selection: a pending selection of another filter, or from before Clear, selects nothing",
    async (scene) => {
      const { feed, open, page, settled } = scene;
      await seedRuns(feed, 60);
      const held = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      await open(`${feed.url}workflows/data`);
      await page.route(/listOptions\.limit=500/, async (route) => {
        asked.resolve();
        await held.promise;
        await route.continue().catch(() => {});
      });
      await page.getByRole("checkbox", { name: "Select all rows" }).check();
      await page.getByRole("button", { name: "Select all 60" }).click();
      await asked.promise;
      await page.getByRole("button", { name: "Clear" }).click();
      held.resolve();
      await settled();
      assertEquals(await page.getByRole("toolbar", { name: "Actions on the selected runs" }).count(), 0);
    },
  ),
  journey("UI-17 selection: includes runs of two windows of the list, and another filter clears it", async (scene) => {
    const { feed, open, page, settled } = scene;
    await seedRuns(feed, 60);
    await open(`${feed.url}workflows/data`);
    await tick(page, "etl-3");
    await page.getByRole("link", { name: "Next" }).click();
    await tick(page, "etl-55");
    await page.getByText("2 selected").waitFor();
    await page.getByRole("button", { name: "Stop…" }).click();
    await page.getByRole("button", { name: "Stop 2 runs" }).click();
    await page.getByText("Stopped 2").waitFor();
    assertEquals(await stoppedRuns(feed), ["etl-3", "etl-55"]);
    await tick(page, "etl-54");
    await page.getByText("1 selected").waitFor();
    await page.getByRole("list", { name: "Phases" }).getByRole("link", { name: "Running" }).click();
    await settled();
    await page.getByText("1 selected").waitFor({ state: "detached" });
  }),
  journey(
    "UI-17 retry: the preview of several runs lists each, and a run that has changed since is refused",
    async (scene) => {
      const { feed, open, page, expectStatus } = scene;
      for (const name of ["etl-1", "etl-2"]) {
        await feed.run(name, {
          phase: "Failed",
          status: { nodes: failedNodes(name) },
        });
      }
      const done = { id: "etl-3", name: "etl-3", displayName: "etl-3", type: "Pod", phase: "Succeeded" };
      await feed.run("etl-3", { phase: "Failed", status: { nodes: { "etl-3": done } } });
      await feed.run("etl-4", { phase: "Succeeded" });
      await open(`${feed.url}workflows/data`);
      await page.getByRole("checkbox", { name: "Select all rows" }).check();
      await page.getByRole("button", { name: "Retry… 3" }).click();
      const plan = page.getByRole("dialog");
      await plan.getByText("2 nodes run again, 2 are kept; 2 pods are deleted.").waitFor();
      await plan.getByText("1 node runs again, 1 is kept; 1 pod is deleted.").first().waitFor();
      await plan.getByText("nothing to retry: no failed node was found").waitFor();
      assertEquals(feed.seen.filter(({ path }) => path.endsWith("/retry")), []);
      await feed.progress("etl-2", { message: "somebody wrote" });
      expectStatus(400);
      expectStatus(409);
      await plan.getByRole("button", { name: "Retry 3 runs" }).click();
      await page.getByText("Retried 1; 2 refused").waitFor();
      // The refused runs, and the one that needs no retry, stay selected.
      await page.getByText("3 selected").waitFor();
      assertEquals(await page.getByRole("checkbox", { name: "Select etl-1" }).isChecked(), false);
    },
  ),
  journey("UI-17 retry: a run that could not be read is left out", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    for (const name of ["etl-1", "etl-2"]) {
      await feed.run(name, { phase: "Failed", status: { nodes: failedNodes(name) } });
    }
    expectStatus(403);
    const words = "etl-2 is nothing for you";
    feed.fault = ({ path, method }) =>
      path.endsWith("/etl-2") && method === "GET"
        ? Response.json({ code: 7, message: words }, { status: 403 })
        : undefined;
    await open(`${feed.url}workflows/data`);
    await page.getByRole("checkbox", { name: "Select all rows" }).check();
    await page.getByRole("button", { name: "Retry…", exact: true }).click();
    const plan = page.getByRole("dialog");
    await plan.getByText(words).waitFor();
    await plan.getByRole("button", { name: "Retry 1 run", exact: true }).click();
    await page.locator(".told").getByText("Retried 1; 1 refused").waitFor();
    await page.locator(".told").getByText(words).waitFor();
    await page.getByText("1 selected").waitFor();
    const sent = feed.seen.filter(({ path }) => path.endsWith("/retry")).map(({ path }) => path);
    assertEquals(sent, ["/api/v1/workflows/data/etl-1/retry"]);
  }),
  journey("UI-17 retry: a failed preview is reported in both dialogs", async (scene) => {
    const { feed, open, page } = scene;
    for (const name of ["etl-1", "etl-2"]) {
      await feed.run(name, { phase: "Failed", status: { nodes: failedNodes(name) } });
    }
    // Replaces the preview script by one that fails.
    const body = "export function previewRetry() { throw new TypeError('no such node') }\n" +
      "export function previewResubmit() { throw new TypeError('no such node') }";
    await page.route(/\/(retry|resubmit)_preview-/, (route) => route.fulfill({ contentType: "text/javascript", body }));
    for (const [button, dialog] of [["Retry…", "Retry etl-1"], ["Resubmit…", "Resubmit etl-1"]] as const) {
      await open(`${feed.url}workflows/data/etl-1`);
      if (button === "Retry…") await page.getByRole("button", { name: button }).click();
      else await chooseIn(page, "More", button);
      await page.getByRole("dialog", { name: dialog }).getByText("The preview failed: no such node").waitFor();
      assertEquals(await page.locator(".dialog button[type=submit]").isDisabled(), true);
    }
  }),
  journey(
    "UI-17 actions: those that the user may not use on the selected runs are disabled, with the missing right",
    async (scene) => {
      const { feed, open, page } = scene;
      await seed(feed, ["etl-1", "etl-2"]);
      const rule = { group: "argoproj.io", resource: "workflows" };
      feed.fault = ({ path }) =>
        path.endsWith("/can") ? Response.json({ lacks: { delete: [{ ...rule, verb: "delete" }] } }) : undefined;
      await open(`${feed.url}workflows/data`);
      await page.getByRole("checkbox", { name: "Select all rows" }).check();
      await page.getByText("Delete: you lack the right to delete workflows.argoproj.io.").waitFor();
      assertEquals(await page.getByRole("button", { name: "Delete…" }).isDisabled(), true);
      assertEquals(await page.getByRole("button", { name: "Stop…" }).isDisabled(), false);
      // Rights are requested once per namespace.
      assertEquals(feed.seen.filter(({ path }) => path.endsWith("/can")).length, 1);
    },
  ),
  journey(
    "UI-17 actions: are shown in the rows immediately, and reverted if they are refused",
    async (scene) => {
      const { feed, open, page, settled, expectStatus } = scene;
      expectStatus(403);
      await seed(feed, ["etl-1", "etl-2"]);
      feed.fault = ({ path }) =>
        path.endsWith("/etl-2/stop")
          ? Response.json({ code: 7, message: "etl-2 belongs to somebody else" }, { status: 403 })
          : undefined;
      await open(`${feed.url}workflows/data`);
      const held = Promise.withResolvers<void>();
      await page.route(/\/stop$/, async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.getByRole("checkbox", { name: "Select all rows" }).check();
      await page.getByRole("button", { name: "Stop…" }).click();
      await page.getByRole("button", { name: "Stop 2 runs" }).click();
      const word = (name: string) => page.locator(`tr[data-run="${name}"]`).getByText("stopping…");
      await word("etl-1").waitFor();
      await word("etl-2").waitFor();
      // An unrelated change of the run does not end the marker.
      await feed.progress("etl-1", { progress: "2/3" });
      await page.locator(`tr[data-run="etl-1"]`).getByText("2/3").waitFor();
      await word("etl-1").waitFor();
      held.resolve();
      await page.getByText("etl-2: etl-2 belongs to somebody else").waitFor();
      await settled();
      assertEquals([await word("etl-1").count(), await word("etl-2").count()], [1, 0]);
      await feed.progress("etl-1", { phase: "Failed", message: "Stopped with strategy 'Stop'" });
      await word("etl-1").waitFor({ state: "detached" });
    },
  ),
  journey("UI-18 suspend: is reverted by Undo, in the list and on the page of a run", async (scene) => {
    const { feed, open, page } = scene;
    await seed(feed, ["etl-1", "etl-2"]);
    const heldRuns = async () =>
      (await feed.client.list<Workflow>(WORKFLOWS, NAMESPACE)).items.filter(({ spec }) => spec.suspend === true).length;
    await open(`${feed.url}workflows/data`);
    await page.getByRole("checkbox", { name: "Select all rows" }).check();
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByText("Suspended 2").waitFor();
    assertEquals(await heldRuns(), 2);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Resumed 2").waitFor();
    assertEquals([await heldRuns(), await page.getByRole("button", { name: "Undo" }).count()], [0, 0]);
    await open(`${feed.url}workflows/data/etl-1`);
    await chooseIn(page, "More", "Suspend");
    await page.getByText("Suspended: no new steps start.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Stop…" }).waitFor();
    assertEquals(await heldRuns(), 0);
    await chooseIn(page, "More", "Suspend");
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByText("Resumed.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
    assertEquals(await heldRuns(), 1);
  }),
  journey(
    "UI-20 delete: deletes archived copies only if chosen in the dialog, each time",
    async (scene) => {
      const { feed, open, page } = scene;
      const names = ["etl-1", "etl-2"];
      const status = "workflows.argoproj.io/workflow-archiving-status";
      for (const name of names) await feed.run(name, { phase: "Succeeded" });
      await open(`${feed.url}workflows/data?cols=label:${status}`);
      for (const name of names) {
        const labels = { [status]: "Archived" };
        await feed.archive(await feed.client.patch<Workflow>(WORKFLOWS, NAMESPACE, name, { metadata: { labels } }));
        await page.locator(`tr[data-run="${name}"]`).getByText("Archived", { exact: true }).waitFor();
      }
      const remove = async (name: string) => {
        await tick(page, name);
        await page.getByRole("button", { name: "Delete…" }).click();
        return page.getByLabel("Also delete the copy in the archive");
      };
      await (await remove("etl-1")).check();
      await page.clock.install();
      await page.getByRole("button", { name: "Delete 1 run" }).click();
      await page.getByText("1 run will be deleted in a few seconds, with their copies in the archive").waitFor();
      await page.clock.runFor(8_000);
      await page.locator(`tr[data-run="etl-1"]`).waitFor({ state: "detached" });
      assertEquals(await (await remove("etl-2")).isChecked(), false);
      await page.getByRole("button", { name: "Delete 1 run" }).click();
      await page.getByText("1 run will be deleted in a few seconds", { exact: true }).waitFor();
      await page.clock.runFor(8_000);
      await page.getByText("Deleted 1").waitFor();
      await open(`${feed.url}workflows/data`);
      await page.locator(`tr[data-run="etl-2"]`).getByText("archived", { exact: true }).waitFor();
      assertEquals(await page.locator("tr[data-run]").count(), 1);
    },
    { withStores: true },
  ),
  journey("UI-20 delete: archived runs disappear from the list", async ({ feed, open, page }) => {
    for (const name of ["etl-1", "etl-2"]) {
      const { metadata, ...rest } = seededRun(name, { phase: "Succeeded" });
      await feed.archive({
        ...rest,
        metadata: { ...metadata, uid: `uid-${name}`, creationTimestamp: "2026-03-28T11:00:00Z" },
      });
    }
    await open(`${feed.url}workflows/data`);
    await tick(page, "etl-1");
    await page.clock.install();
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete 1 run" }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await page.clock.runFor(8_000);
    await page.getByText("Deleted 1").waitFor();
    await page.locator(`tr[data-run="etl-1"]`).waitFor({ state: "detached" });
    await page.locator(`tr[data-run="etl-2"]`).waitFor();
  }, { withStores: true }),
  journey(
    "UI-19 actions: if one of three runs is refused, it stays selected, with the server's message",
    async (scene) => {
      const { feed, open, page, expectStatus } = scene;
      expectStatus(403);
      await seed(feed, ["etl-1", "etl-2", "etl-3"]);
      feed.fault = ({ path }) =>
        path.endsWith("/etl-2/suspend")
          ? Response.json({ code: 7, message: "etl-2 belongs to somebody else" }, { status: 403 })
          : undefined;
      await open(`${feed.url}workflows/data`);
      await page.getByRole("checkbox", { name: "Select all rows" }).check();
      await page.getByRole("button", { name: "Suspend" }).click();
      await page.getByText("etl-2: etl-2 belongs to somebody else").waitFor();
      await page.getByText("Suspended 2; 1 refused").waitFor();
      await page.getByText("1 selected").waitFor();
      assertEquals(await page.getByRole("checkbox", { name: "Select etl-2" }).isChecked(), true);
    },
  ),
];
