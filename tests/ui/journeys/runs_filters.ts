/** Journeys on the filters and views of the list of runs. */
import { assert, assertEquals } from "@std/assert";
import { awaitQuery, NARROW, openPage } from "../browser.ts";
import { awaitGone, awaitTotal, rowOf } from "../list_of_runs.ts";
import { type Journey, journey } from "../journey.ts";

export const RUNS_FILTERS: readonly Journey[] = [
  journey("UI-22 views: a link shows the same runs in another browser", async ({ feed, browser, page, open }) => {
    await feed.run("etl-1", { phase: "Failed" });
    await feed.run("etl-2");
    await open(`${feed.url}workflows/data`);
    await page.getByRole("list", { name: "Phases" }).getByRole("link", { name: "Failed" }).click();
    await awaitTotal(page, 1);
    const fresh = await openPage(browser);
    await fresh.open(page.url());
    await awaitTotal(fresh.page, 1);
    await rowOf(fresh.page, "etl-1").waitFor();
    await fresh.context.close();
  }),
  journey("UI-22 views: a saved view is a link in the menu and in the palette", async (scene) => {
    const { feed, page, open } = scene;
    await feed.run("etl-1", { phase: "Failed" });
    await feed.run("etl-2");
    await open(`${feed.url}workflows/data?phase=Failed&sort=-duration&offset=0`);
    await awaitTotal(page, 1);
    await page.getByText("Views", { exact: true }).click();
    await page.getByLabel("Name of this view").fill("what failed");
    await page.keyboard.press("Enter");
    await page.getByText("View: what failed").waitFor();
    await open(`${feed.url}workflows/data`);
    await awaitTotal(page, 2);
    await page.getByText("Views", { exact: true }).click();
    await page.getByRole("link", { name: "what failed" }).click();
    await awaitTotal(page, 1);
    await page.waitForURL(({ search }) => search === "?phase=Failed&sort=-duration");
    await open(`${feed.url}workflow-templates/data`);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run an action" }).fill("what failed");
    await page.keyboard.press("Enter");
    await awaitTotal(page, 1);
    await page.getByText("View: what failed").click();
    await page.getByRole("button", { name: "Remove the view what failed" }).click();
    await page.getByText("Views", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
  }),
  journey(
    "UI-10 filters: filters of a bookmark are shown as chips and sent to the server",
    async ({ feed, open, page }) => {
      await feed.run("etl", { labels: { team: "a", tier: "1" } });
      await feed.run("etl-2", { labels: { team: "a", tier: "1" } });
      await open(
        `${feed.url}workflows/data?Exact=etl&label=team%3Da&label=tier%3D1&createdAfter=2020-01-01T00%3A00%3A00.000Z`,
      );
      await awaitTotal(page, 1);
      for (const chip of ["label: team=a", "label: tier=1", "name is etl"]) {
        await page.getByRole("link", { name: `Remove the filter ${chip}` }).waitFor();
      }
      const { query } = feed.seen.find(({ path }) => path === "/api/v1/workflows/data")!;
      assertEquals(query.get("nameFilter"), "Exact");
      assertEquals(query.get("createdAfter"), "2020-01-01T00:00:00.000Z");
      assert(query.get("listOptions.labelSelector")?.includes("team=a,tier=1"));
    },
  ),
  journey("UI-11 filters: Back reverts them one by one", async ({ feed, open, page }) => {
    await feed.run("etl-1", { phase: "Failed" });
    await feed.run("web-1", { phase: "Failed" });
    await feed.run("etl-2", { phase: "Succeeded" });
    await open(`${feed.url}workflows/data`);
    await awaitTotal(page, 3);
    await page.getByRole("list", { name: "Phases" }).getByRole("link", { name: "Failed" }).click();
    await awaitTotal(page, 2);
    await page.keyboard.press("/");
    await page.keyboard.type("etl");
    await page.keyboard.press("Enter");
    await awaitTotal(page, 1);
    await page.goBack();
    await awaitTotal(page, 2);
    await page.goBack();
    await awaitTotal(page, 3);
  }),
  journey(
    "UI-22 views: a view with a long name is saved, opened and removed on a small screen",
    async ({ feed, open, page }) => {
      await feed.run("etl-1");
      await open(`${feed.url}workflows/data?phase=Running`);
      const name = "what failed in the last night of the month, of team a";
      const isWithin = async (button: string) => {
        const box = await page.getByRole("button", { name: button }).boundingBox();
        assert(box && box.x >= 0 && box.x + box.width <= NARROW.width, `${button} is outside the screen`);
      };
      await page.getByText("Views", { exact: true }).click();
      await page.getByLabel("Name of this view").fill(name);
      await isWithin("Save");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("link", { name }).waitFor();
      await isWithin(`Remove the view ${name}`);
      await page.getByRole("button", { name: `Remove the view ${name}` }).click();
      await page.getByText("Views", { exact: true }).waitFor();
    },
    { look: NARROW },
  ),
  journey("UI-12 filters: a run from the stream that does not match is not shown", async ({ feed, open, page }) => {
    await feed.run("etl-1");
    await open(`${feed.url}workflows/data?Prefix=etl`);
    await awaitTotal(page, 1);
    await feed.run("web-1");
    await feed.run("etl-2");
    await awaitTotal(page, 2);
    assertEquals(await rowOf(page, "web-1").count(), 0);
  }),
  journey(
    "UI-13 filters: a run that no longer matches the phase is removed, and the count is updated",
    async ({ feed, open, page }) => {
      await feed.run("etl-1");
      await feed.run("etl-2");
      await open(`${feed.url}workflows/data?phase=Running`);
      await awaitTotal(page, 2);
      await feed.progress("etl-1", { phase: "Succeeded", progress: "3/3", finishedAt: "2026-03-28T12:00:00Z" });
      await awaitGone(page, "etl-1");
      await awaitTotal(page, 1);
    },
  ),
  journey("UI-10 filters: typed times are in the user's time zone", async (scene) => {
    const { feed, open, page } = scene;
    await feed.run("etl-1");
    await feed.run("etl-2", { phase: "Succeeded", startedAt: "2026-03-28T10:00:00Z" });
    await open(`${feed.url}workflows/data`);
    await awaitTotal(page, 2);
    await page.keyboard.press("/");
    await page.keyboard.type("before:2026-03-28T12:00 after:2h");
    await page.keyboard.press("Enter");
    await awaitQuery(page, { finishedBefore: "2026-03-28T11:00:00.000Z", createdAfter: "2026-03-28T10:00:00.000Z" });
    await page.getByText("finished before 28 Mar 2026, 12:00").waitFor();
    await rowOf(page, "etl-2").waitFor();
    await awaitTotal(page, 1);
  }),
  journey(
    "UI-10 filters: an invalid URL shows a list, and names the ignored parts",
    async (scene) => {
      const { feed, open, page, settled } = scene;
      for (const name of ["etl-1", "etl-2", "etl-3"]) await feed.run(name);
      await open(
        `${feed.url}workflows/data?limit=-1&offset=1e9&phase=%3Cscript%3E&createdAfter=%3Cb%3E&sort=%27&cols=%00`,
      );
      await awaitTotal(page, 3);
      await rowOf(page, "etl-3").waitFor();
      await page.getByText("phase: <script>: not a phase, ignored").waitFor();
      await open(`${feed.url}workflows/data?offset=999999999`);
      await page.getByText("There is no such page: the list has 3 runs").waitFor();
      await awaitTotal(page, 3);
      await page.getByRole("link", { name: "Show the first page" }).click();
      await rowOf(page, "etl-3").waitFor();
      await settled();
      assertEquals(page.url(), `${feed.url}workflows/data`);
    },
  ),
];
