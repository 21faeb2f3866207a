/** Journeys of actions on many runs. */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { Workflow } from "../../../lib/api/mod.ts";
import { WORKFLOWS } from "../../../lib/kube/mod.ts";
import { type Feed, NAMESPACE } from "../feed/feed.ts";
import { type Journey, journey } from "../journey.ts";

const tick = (page: Page, name: string) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();

async function seed(feed: Feed, names: readonly string[]): Promise<void> {
  for (const name of names) await feed.run(name);
}

async function stopped(feed: Feed): Promise<string[]> {
  const { items } = await feed.client.list<Workflow>(WORKFLOWS, NAMESPACE);
  return items.filter(({ spec }) => spec.shutdown === "Stop").map(({ metadata }) => metadata.name ?? "").sort();
}

export const BULK: readonly Journey[] = [
  journey("UI-17 exactly the runs that are selected are stopped, and the dialog counts pods", async (scene) => {
    const { feed, open, page, settled } = scene;
    await seed(feed, ["etl-1", "etl-2", "etl-3", "etl-4"]);
    await open(`${feed.url}workflows/data`);
    for (const name of ["etl-1", "etl-2", "etl-4"]) await tick(page, name);
    await page.getByRole("button", { name: "Stop…" }).click();
    // Two of three nodes of each are still to come.
    await page.getByText("Up to 6 pods end; exit handlers still run.").waitFor();
    await page.getByRole("button", { name: "Stop 3 runs" }).click();
    await page.getByText("Stopped 3").waitFor();
    await settled();
    assertEquals(await stopped(feed), ["etl-1", "etl-2", "etl-4"]);
  }),
  journey("UI-18 a delete that is undone was never sent", async ({ feed, open, page }) => {
    await seed(feed, ["etl-1", "etl-2"]);
    await open(`${feed.url}workflows/data`);
    await page.getByRole("checkbox", { name: "Select all rows" }).check();
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete 2 runs" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("2 selected").waitFor();
    assertEquals(feed.seen.filter(({ method }) => method === "DELETE"), []);
  }),
  journey("UI-19 of three one is refused: it stays selected, with the server's words", async (scene) => {
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
  }),
];
