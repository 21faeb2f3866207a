/** Journeys through the list of runs. */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { WORKFLOWS } from "../../../lib/kube/mod.ts";
import { type Journey, journey } from "../journey.ts";
import { NAMESPACE } from "../feed/feed.ts";

const rowOf = (page: Page, name: string) => page.locator(`tr[data-run="${name}"]`);

async function gone(page: Page, name: string): Promise<void> {
  await rowOf(page, name).waitFor({ state: "detached" });
}

async function total(page: Page, count: number): Promise<void> {
  await page.locator(`[data-total="${count}"]`).waitFor();
}

export const RUNS: readonly Journey[] = [
  journey("UI-10 filters of a bookmark are chips, and the server is asked so", async ({ feed, open, page }) => {
    await feed.run("etl", { labels: { team: "a", tier: "1" } });
    await feed.run("etl-2", { labels: { team: "a", tier: "1" } });
    await open(
      `${feed.url}workflows/data?Exact=etl&label=team%3Da&label=tier%3D1&createdAfter=2020-01-01T00%3A00%3A00.000Z`,
    );
    await total(page, 1);
    for (const chip of ["label: team=a", "label: tier=1", "name is etl"]) {
      await page.getByRole("link", { name: `Remove the filter ${chip}` }).waitFor();
    }
    const { query } = feed.seen.find(({ path }) => path === "/api/v1/workflows/data")!;
    assertEquals(query.get("nameFilter"), "Exact");
    assertEquals(query.get("createdAfter"), "2020-01-01T00:00:00.000Z");
    assert(query.get("listOptions.labelSelector")?.includes("team=a,tier=1"));
  }),
  journey("UI-11 choices are undone by Back, one by one", async ({ feed, open, page }) => {
    await feed.run("etl-1", { phase: "Failed" });
    await feed.run("web-1", { phase: "Failed" });
    await feed.run("etl-2", { phase: "Succeeded" });
    await open(`${feed.url}workflows/data`);
    await total(page, 3);
    await page.getByRole("list", { name: "Phases" }).getByRole("link", { name: "Failed" }).click();
    await total(page, 2);
    await page.keyboard.press("/");
    await page.keyboard.type("etl");
    await page.keyboard.press("Enter");
    await total(page, 1);
    await page.goBack();
    await total(page, 2);
    await page.goBack();
    await total(page, 3);
  }),
  journey("UI-12 a run beyond the filter that the stream brings is not shown", async ({ feed, open, page }) => {
    await feed.run("etl-1");
    await open(`${feed.url}workflows/data?Prefix=etl`);
    await total(page, 1);
    await feed.run("web-1");
    await feed.run("etl-2");
    await total(page, 2);
    assertEquals(await rowOf(page, "web-1").count(), 0);
  }),
  journey("UI-13 a run that leaves the phase leaves the list, and the count says so", async ({ feed, open, page }) => {
    await feed.run("etl-1");
    await feed.run("etl-2");
    await open(`${feed.url}workflows/data?phase=Running`);
    await total(page, 2);
    await feed.progress("etl-1", { phase: "Succeeded", progress: "3/3", finishedAt: "2026-03-28T12:00:00Z" });
    await gone(page, "etl-1");
    await total(page, 1);
  }),
  journey("UI-24 columns of the installation are shown, and their labels filter", async ({ feed, open, page }) => {
    await feed.run("etl-1", { labels: { team: "a" } });
    await feed.run("etl-2", { labels: { team: "b" } });
    await open(`${feed.url}workflows/data`);
    await page.getByRole("columnheader", { name: "Team" }).waitFor();
    await rowOf(page, "etl-2").getByRole("button", { name: "b", exact: true }).click();
    await gone(page, "etl-1");
    await total(page, 1);
  }, { info: { columns: [{ name: "Team", type: "label", key: "team" }] } }),
  journey("UI-25 a run that is open moves as it works", async ({ feed, open, page }) => {
    await feed.run("etl-1");
    await open(`${feed.url}workflows/data/etl-1`);
    await page.getByText("Running").first().waitFor();
    await feed.progress("etl-1", {
      phase: "Failed",
      message: "extract: exit code 1",
      finishedAt: "2026-03-28T12:00:00Z",
    });
    await page.getByText("extract: exit code 1").first().waitFor();
  }),
  journey("UI-79 after a gap nothing stays that was deleted meanwhile", async ({ feed, open, page, expectStatus }) => {
    expectStatus(503);
    await feed.run("etl-1");
    await feed.run("etl-2");
    await open(`${feed.url}workflows/data`);
    await total(page, 2);
    feed.fault = () => Response.json({ code: 14, message: "starting" }, { status: 503 });
    feed.cutStreams();
    await feed.client.delete(WORKFLOWS, NAMESPACE, "etl-1");
    await feed.run("etl-3");
    feed.fault = undefined;
    await gone(page, "etl-1");
    await rowOf(page, "etl-3").waitFor();
    await total(page, 2);
  }),
  journey("UI-16 a long list is shown in windows, and the way through it is links", async ({ feed, open, page }) => {
    for (let at = 0; at < 60; at++) {
      await feed.run(`etl-${at}`, {
        startedAt: new Date(Date.UTC(2026, 2, 1, 0, at)).toISOString().replace(".000", ""),
      });
    }
    await open(`${feed.url}workflows/data`);
    await total(page, 60);
    await page.getByText("1 to 50 of 60").waitFor();
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByText("51 to 60 of 60").waitFor();
    await rowOf(page, "etl-0").waitFor();
    await page.goBack();
    await rowOf(page, "etl-59").waitFor();
  }),
];
