/** Journeys on the settings of an installation and of a browser: columns, links, colors, bookmarks, times. */
import { assert, assertEquals } from "@std/assert";
import { awaitQuery, NARROW, openPage } from "../browser.ts";
import { awaitGone, awaitTotal, rowOf } from "../list_of_runs.ts";
import { type Journey, journey } from "../journey.ts";
import { NOW } from "../feed/feed.ts";

export const INSTALLATION: readonly Journey[] = [
  journey("UI-09 bookmarks: every URL of Argo's page leads to a page", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    expectStatus(404);
    await feed.run("etl-1");
    const addresses = {
      timeline: "Runs",
      workflows: "Runs",
      "workflows/data": "Runs",
      "workflows/data/etl-1?tab=summary": "etl-1",
      "workflow-templates/data": "Templates",
      "cluster-workflow-templates": "Templates",
      "cron-workflows/data": "Schedules",
      "event-flow/data": "Events",
      "event-sources/data": "Events",
      "sensors/data": "Events",
      "workflow-event-bindings/data": "Events",
      "reports/data": "Reports",
      userinfo: "Settings",
      help: "Help",
    };
    for (const [address, heading] of Object.entries(addresses)) {
      await open(`${feed.url}${address}`);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    }
  }),
  journey(
    "UI-24 columns: those of the installation are shown, and their labels filter",
    async ({ feed, open, page }) => {
      await feed.run("etl-1", { labels: { team: "a" } });
      await feed.run("etl-2", { labels: { team: "b" } });
      await open(`${feed.url}workflows/data`);
      await page.getByRole("columnheader", { name: "Team" }).waitFor();
      await rowOf(page, "etl-2").getByRole("button", { name: "b", exact: true }).click();
      await awaitGone(page, "etl-1");
      await awaitTotal(page, 1);
    },
    { info: { columns: [{ name: "Team", type: "label", key: "team" }] } },
  ),
  journey("UI-24 columns: the user's choice is saved in the browser, and shared by the URL", async (scene) => {
    const { feed, browser, open, page } = scene;
    await feed.run("etl-1", { labels: { team: "a", owner: "ada" } });
    const heads = async (on = page) =>
      (await on.getByRole("columnheader").allInnerTexts()).map((text) => text.replace(/\W+$/, "")).filter((text) =>
        text
      );
    await open(`${feed.url}workflows/data`);
    await page.getByRole("columnheader", { name: "Team" }).waitFor();
    assertEquals(await heads(), ["Name", "Progress", "Duration", "Started", "Source", "Team", "Message", "More"]);
    await page.getByText("Columns", { exact: true }).click();
    for (const name of ["Progress", "Source", "Message", "Team"]) {
      await page.getByLabel(name, { exact: true }).uncheck();
    }
    await page.getByLabel("Finished", { exact: true }).check();
    await page.getByLabel("New column: a label, or annotation:KEY").fill("owner");
    await page.keyboard.press("Enter");
    await page.getByRole("columnheader", { name: "owner" }).waitFor();
    const wanted = ["Name", "Duration", "Started", "Finished", "owner", "More"];
    assertEquals(await heads(), wanted);
    await rowOf(page, "etl-1").getByRole("button", { name: "ada" }).waitFor();
    await awaitQuery(page, { cols: "duration,started,finished,label:owner" });
    const fresh = await openPage(browser);
    await fresh.open(page.url());
    await fresh.page.getByRole("columnheader", { name: "owner" }).waitFor();
    assertEquals(await heads(fresh.page), wanted);
    // Columns from a shared URL are not saved.
    await fresh.open(`${feed.url}workflows/data`);
    await fresh.page.getByRole("columnheader", { name: "Team" }).waitFor();
    await fresh.context.close();
    await open(`${feed.url}workflows/data`);
    await page.getByRole("columnheader", { name: "owner" }).waitFor();
    assertEquals(await heads(), wanted);
    await page.getByText("Columns", { exact: true }).click();
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByRole("columnheader", { name: "Team" }).waitFor();
  }, { info: { columns: [{ name: "Team", type: "label", key: "team" }] } }),
  journey(
    "UI-24 links: those of the installation are shown in the list and on a run, with values filled in",
    async ({ feed, open, page }) => {
      await feed.run("etl-1");
      await open(`${feed.url}workflows/data`);
      const hrefOf = (name: string) => page.getByRole("link", { name, exact: true }).getAttribute("href");
      assertEquals(await hrefOf("Wiki"), "https://wiki.example/");
      await rowOf(page, "etl-1").getByRole("link", { name: "etl-1" }).click();
      await page.getByRole("heading", { name: "etl-1" }).waitFor();
      assertEquals(await hrefOf("Dashboard"), "https://grafana.example/d?var=data-etl-1");
      assertEquals(await page.getByRole("link", { name: "Dashboard" }).getAttribute("target"), "_blank");
    },
    {
      info: {
        links: [
          { name: "Wiki", scope: "workflow-list", url: "https://wiki.example/" },
          {
            name: "Dashboard",
            scope: "workflow",
            url: "https://grafana.example/d?var=${metadata.namespace}-${metadata.name}",
            target: "_blank",
          },
        ],
      },
    },
  ),
  journey(
    "UI-24 installation: its color is a stripe, and its links are in the navigation and next to logs",
    async (scene) => {
      const { feed, open, page } = scene;
      const pod = { id: "etl-1-9", name: "etl-1", displayName: "etl-1", type: "Pod", phase: "Running" };
      const node = { ...pod, startedAt: "2026-03-28T11:57:00Z", templateName: "main" };
      await feed.run("etl-1", { status: { nodes: { [node.id]: node } } });
      await open(`${feed.url}workflows/data/etl-1?sidePanel=logs:etl-1-9:main`);
      const hrefOf = (name: string) => page.getByRole("link", { name, exact: true }).getAttribute("href");
      assertEquals(await hrefOf("Get help"), "https://chat.example/");
      assert((await hrefOf("Lines"))?.startsWith("https://logs.example/?pod=etl-1&run=etl-1&from=1774699020000"));
      const stripe = await page.evaluate("getComputedStyle(document.querySelector('.nav')).borderBlockStart");
      assertEquals(stripe, "4px solid rgb(178, 34, 34)");
      await page.setViewportSize({ width: NARROW.width, height: NARROW.height });
      await page.getByRole("link", { name: "Help", exact: true }).click();
      await page.getByRole("heading", { name: "Help" }).waitFor();
      assertEquals(await hrefOf("Get help"), "https://chat.example/");
    },
    {
      info: {
        navColor: "firebrick",
        links: [
          { name: "Get help", scope: "chat", url: "https://chat.example/", target: "_blank" },
          {
            name: "Lines",
            scope: "pod-logs",
            url:
              "https://logs.example/?pod=${metadata.name}&run=${workflow.metadata.name}&from=${status.startedAtEpoch}",
          },
        ],
      },
    },
  ),
  journey(
    "UI-24 greeting: is shown above the list if configured, and dismissed once",
    async ({ feed, open, page }) => {
      await feed.run("etl-1");
      const greeting = page.locator(".greeting");
      const later = async (days: number) => {
        await page.clock.setFixedTime(NOW + days * 86_400_000);
        await open(`${feed.url}workflows/data`);
        await page.getByRole("link", { name: "etl-1", exact: true }).waitFor();
      };
      await later(0);
      await greeting.getByText("New here?").waitFor();
      await greeting.getByRole("button", { name: "Dismiss" }).click();
      await later(13);
      assertEquals(await greeting.count(), 0);
      await later(15);
      await greeting.getByText("How do you like this page").waitFor();
      await greeting.getByRole("button", { name: "Good", exact: true }).click();
      await greeting.getByText("Thank you.").waitFor();
      assertEquals(feed.seen.filter(({ path }) => path === "/api/v1/tracking/event").length, 1);
      await later(16);
      assertEquals(await greeting.count(), 0);
    },
    { info: { modals: { firstTimeUser: true, feedback: true, newVersion: true } } },
  ),
  journey(
    "UI-88 migration: settings that Argo's page stored in the browser are applied once",
    async ({ feed, open, page }) => {
      await feed.run("etl-1", { phase: "Failed" });
      await feed.run("etl-2");
      await page.addInitScript(`if (!localStorage.getItem("tiphys.argo")) {
      localStorage.setItem("current_namespace", "data");
      localStorage.setItem("ListOptions/options", '{"phases":["Failed"],"labels":[]}');
    }`);
      await open(feed.url);
      await awaitTotal(page, 1);
      await page.waitForURL(`${feed.url}workflows/data?phase=Failed`);
      await open(feed.url);
      await awaitTotal(page, 2);
      assertEquals(page.url(), feed.url);
    },
  ),
  journey(
    "UI-88 times: are shown in the time zone and format of Argo's page, or as chosen",
    async (scene) => {
      const { feed, open, page, browser } = scene;
      await feed.run("etl-1");
      await page.addInitScript(`if (!localStorage.getItem("tiphys.zone")) {
      localStorage.setItem("DEFAULT_TZ", '"Asia/Tokyo"');
      localStorage.setItem("Timestamp/displayISOFormat-workflowsRowStarted", "true");
    }`);
      const address = `${feed.url}workflows/data?createdAfter=2020-01-01T00:00:00.000Z&finishedBefore=soon`;
      await open(address);
      await rowOf(page, "etl-1").getByText("2026-03-28T20:57:00+09:00").waitFor();
      await page.getByRole("link", { name: "Remove the filter created after 2020-01-01T09:00:00+09:00" }).waitFor();
      await page.getByText("finished before soon: not a time, ignored").waitFor();
      await open(`${feed.url}userinfo`);
      await page.getByLabel("Time zone").selectOption("America/New_York");
      await page.getByLabel("Times in lists").selectOption("relative");
      await page.getByText("Three minutes ago: 3m ago, or 28 Mar 2026, 07:57:00 GMT-4").waitFor();
      await open(address);
      await rowOf(page, "etl-1").getByText("3m ago").waitFor();
      assertEquals(await page.getByText("3m ago").getAttribute("title"), "28 Mar 2026, 07:57:00 GMT-4");
      const chip = page.getByRole("link", { name: "Remove the filter created after 31 Dec 2019, 19:00:00 GMT-5" });
      assertEquals(await chip.innerText(), "created after 31 Dec 2019, 19:00\n✕");
      // A browser without settings of Argo's page uses the time zone of its computer.
      const fresh = await openPage(browser);
      await fresh.open(address);
      await fresh.page.getByRole("link", { name: "Remove the filter created after 1 Jan 2020, 01:00:00 CET" })
        .waitFor();
      await fresh.context.close();
    },
  ),
];
