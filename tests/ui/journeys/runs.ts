/** Journeys on the list of runs. */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { awaitTrue } from "../played/played_journey.ts";
import { awaitQuery, NARROW, openPage } from "../browser.ts";
import { awaitGone, awaitTotal, rowOf } from "../list_of_runs.ts";
import { type Journey, journey } from "../journey.ts";
import { WORKFLOWS } from "@tiphys/kube";
import { NAMESPACE, NOW, seededRun } from "../feed/feed.ts";
import { failedRun } from "../played/played_runs.ts";

const tick = (page: Page, name: string) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();

export const RUNS: readonly Journey[] = [
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
  journey("UI-49 list: a run that only waits for a user is shown as suspended until it continues", async (scene) => {
    const { feed, open, page } = scene;
    const node = (type: string) => ({ id: type, name: type, displayName: type, type, phase: "Running" });
    const nodes = { Steps: node("Steps"), Suspend: node("Suspend") };
    await feed.run("etl-1", { status: { nodes } });
    await feed.run("etl-2", { status: { nodes: { ...nodes, Pod: node("Pod") } } });
    await open(`${feed.url}workflows/data`);
    await rowOf(page, "etl-1").getByRole("img", { name: "Suspended" }).waitFor();
    await rowOf(page, "etl-2").getByRole("img", { name: "Running" }).waitFor();
    await feed.progress("etl-1", { nodes: { Suspend: { phase: "Succeeded" } } });
    await rowOf(page, "etl-1").getByRole("img", { name: "Running" }).waitFor();
  }),
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
    "UI-23 titles: titles and descriptions are formatted, and contain no scripts",
    async ({ feed, open, page }) => {
      const script = '<script>document.title="taken"</script>';
      await feed.run("etl-1", {
        annotations: {
          "workflows.argoproj.io/title": `${script} **bold** [x](javascript:alert(1)) [y](https://example.com/y)`,
          "workflows.argoproj.io/description":
            `- *slow*, see https://example.com/docs\n- [z](javascript:alert(2)) ${script} \`code\``,
        },
      });
      await feed.run("etl-2", { annotations: { "workflows.argoproj.io/title": "**Build**" } });
      await open(`${feed.url}workflows/data`);
      // The whole title is one link to the run, without formatting.
      await page.getByRole("link", { name: `${script} bold [x](javascript:alert(1)) y`, exact: true }).waitFor();
      const row = rowOf(page, "etl-1").locator(".name");
      assertEquals(await row.locator("strong").allInnerTexts(), ["bold"]);
      assertEquals(await row.locator(".about a").evaluateAll((all) => all.map((one) => one.getAttribute("href"))), [
        "https://example.com/docs",
      ]);
      await rowOf(page, "etl-2").getByRole("link", { name: "Build", exact: true }).waitFor();
      await page.getByRole("link", { name: "bold" }).click();
      await page.getByRole("heading", { name: "etl-1" }).waitFor();
      await page.locator(".folded-about summary").click();
      await page.locator(".markdown li").first().waitFor();
      assertEquals(await page.locator(".markdown li").count(), 2);
      assertEquals(await page.locator(".markdown em").allInnerTexts(), ["slow"]);
      assertEquals(await page.locator(".markdown code").allInnerTexts(), ["code"]);
      assertEquals([(await page.title()).includes("taken"), await page.locator("a[href^='javascript']").count()], [
        false,
        0,
      ]);
      assertEquals(await page.locator("script:not([src])").count(), 0);
    },
  ),
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
  journey(
    "UI-17 drawer: shows details of a run, links to its origin, and filters",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.run("etl-1", {
        labels: {
          team: "a",
          "workflows.argoproj.io/cron-workflow": "nightly",
          "workflows.argoproj.io/creator": "ada",
          ...Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`label-${index}`, `value-${index}`])),
        },
        status: {
          message: "m ".repeat(5_000),
          estimatedDuration: 300,
          conditions: [
            { type: "PodRunning", status: "True" },
            { type: "MetricsError", status: "True", message: "no such metric" },
          ],
        },
      });
      await feed.run("etl-2");
      await open(`${feed.url}workflows/data`);
      await page.getByRole("button", { name: "Actions of etl-1" }).click();
      await page.getByRole("button", { name: "Show details" }).click();
      const drawer = page.getByRole("complementary", { name: "About etl-1" });
      for (const text of ["MetricsError: no such metric", "3m of about 5m", "1/3", "ada"]) {
        await drawer.getByText(text, { exact: true }).first().waitFor();
      }
      assertEquals(await drawer.getByText("PodRunning").count(), 0);
      const nightly = drawer.getByRole("link", { name: "nightly" });
      assertEquals(await nightly.getAttribute("href"), `${feed.url}cron-workflows/data/nightly`);
      await drawer.getByRole("button", { name: "a", exact: true }).click();
      await page.getByRole("link", { name: "Remove the filter label: team=a" }).waitFor();
      await awaitTotal(page, 1);
    },
  ),
  journey("UI-17 activity: filters the list, and the menu of a row acts on its run", async (scene) => {
    const { feed, open, page } = scene;
    for (let at = 0; at < 6; at++) {
      const startedAt = new Date(NOW - at * 3_600_000).toISOString();
      await feed.run(`etl-${at}`, { phase: at === 2 ? "Failed" : "Succeeded", startedAt });
    }
    await feed.run("old", { phase: "Failed", startedAt: new Date(NOW - 90_000_000).toISOString() });
    await open(`${feed.url}workflows/data`);
    await awaitTotal(page, 7);
    const activity = page.getByRole("region", { name: "Activity" });
    await activity.getByText("83 % succeeded").waitFor();
    await activity.getByRole("link", { name: "1 Failed", exact: true }).click();
    await awaitTotal(page, 1);
    await rowOf(page, "etl-2").waitFor();
    await activity.getByRole("link", { name: "1 Failed", exact: true }).click();
    await awaitTotal(page, 7);
    await activity.getByRole("link", { name: /: 1 Succeeded$/ }).first().click();
    await awaitTotal(page, 1);
    await page.goBack();
    await activity.getByRole("link", { name: "7 days" }).click();
    await activity.getByRole("link", { name: "2 Failed" }).waitFor();
    await page.getByRole("button", { name: "Actions of etl-2" }).click();
    await page.getByRole("button", { name: "Retry…" }).click();
    await page.getByRole("dialog", { name: "Retry 1 run?" }).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Actions of etl-2" }).click();
  }),
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
  journey("UI-13 list: if the focused row is removed, the row at its position gets the focus", async (scene) => {
    const { feed, open, page } = scene;
    for (const [at, name] of ["etl-1", "etl-2", "etl-3"].entries()) {
      await feed.run(name, { startedAt: `2026-03-28T11:0${9 - at}:00Z` });
    }
    await open(`${feed.url}workflows/data?phase=Running`);
    await awaitTotal(page, 3);
    await page.getByRole("link", { name: "etl-2", exact: true }).focus();
    const over = { phase: "Succeeded", finishedAt: "2026-03-28T12:00:00Z" };
    await feed.progress("etl-2", over);
    await awaitGone(page, "etl-2");
    await page.locator("a:focus").and(page.getByRole("link", { name: "etl-3", exact: true })).waitFor();
    // The last row has no successor.
    await feed.progress("etl-3", over);
    await awaitGone(page, "etl-3");
    await page.locator("a:focus").and(page.getByRole("link", { name: "etl-1", exact: true })).waitFor();
    // A focus outside the rows is not moved.
    await page.getByRole("heading", { name: "Runs" }).click();
    await page.locator("a:focus").waitFor({ state: "detached" });
    await feed.run("etl-4", { startedAt: "2026-03-28T11:00:00Z" });
    await awaitTotal(page, 2);
    await feed.progress("etl-1", over);
    await awaitGone(page, "etl-1");
    assertEquals(await page.locator("a:focus").count(), 0);
  }),
  journey("UI-14 list: new runs are counted above the list while it is scrolled, and move no row", async (scene) => {
    const { feed, open, page } = scene;
    for (let i = 0; i < 60; i++) {
      await feed.run(`etl-${i}`, { startedAt: `2026-03-28T10:${String(i).padStart(2, "0")}:00Z` });
    }
    await open(`${feed.url}workflows/data?limit=100`);
    await awaitTotal(page, 60);
    await page.mouse.move(700, 600);
    await page.mouse.wheel(0, 600);
    const place = async () => (await rowOf(page, "etl-30").boundingBox())?.y;
    await awaitTrue(page, "scrollY === 600");
    const before = await place();
    for (const name of ["new-1", "new-2", "new-3"]) await feed.run(name, { startedAt: "2026-03-28T11:00:00Z" });
    await awaitTotal(page, 63);
    await page.getByRole("button", { name: "3 new ↑" }).waitFor();
    assertEquals([await place(), await rowOf(page, "new-1").count()], [before, 0]);
    await page.getByRole("button", { name: "3 new ↑" }).click();
    await rowOf(page, "new-3").waitFor();
    assertEquals(await page.evaluate("scrollY"), 0);
    assertEquals(await page.getByRole("button", { name: /new ↑/ }).count(), 0);
    await page.mouse.wheel(0, 600);
    await awaitTrue(page, "scrollY === 600");
    await feed.run("new-4", { startedAt: "2026-03-28T11:00:00Z" });
    await page.getByRole("button", { name: "1 new ↑" }).waitFor();
    await page.mouse.wheel(0, -600);
    await rowOf(page, "new-4").waitFor();
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
  journey("UI-25 list: one click leads to the failing line of a log, which is in view", async (scene) => {
    const { feed, open, page } = scene;
    const run = await failedRun("etl-1");
    const labels = { "workflows.argoproj.io/phase": "Failed", "workflows.argoproj.io/creator": "ada" };
    await feed.put([WORKFLOWS, { ...run, metadata: { name: "etl-1", namespace: NAMESPACE, labels } } as never]);
    const content = "2026-03-28T11:00:00.000000001Z ValueError: 2 rows have no id, in line 7";
    feed.fault = ({ path }) =>
      path.endsWith("/etl-1/log")
        ? new Response(`data: ${JSON.stringify({ result: { podName: "etl-1-validate", content } })}\n\n`, {
          headers: { "content-type": "text/event-stream" },
        })
        : undefined;
    await open(`${feed.url}workflows/data`);
    await rowOf(page, "etl-1").getByRole("cell", { name: "ada", exact: true }).waitFor();
    await page.getByRole("link", { name: "etl-1", exact: true }).click();
    const line = page.locator(".tail li.error").getByText("2 rows have no id, in line 7");
    await line.waitFor();
    const box = (await line.boundingBox())!;
    assert(box.y > 0 && box.y + box.height <= 900, `the line is at ${box.y}`);
  }),
  journey("UI-25 run page: an open run is updated while it runs", async ({ feed, open, page }) => {
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
  journey(
    "UI-15 list: of 160 runs, only those near the screen are drawn, and they are updated",
    async ({ feed, open, page }) => {
      for (let at = 0; at < 160; at++) {
        const startedAt = new Date(Date.UTC(2026, 2, 1, 0, 160 - at)).toISOString().replace(".000", "");
        await feed.run(`etl-${at}`, { startedAt });
      }
      await open(`${feed.url}workflows/data?limit=500`);
      await awaitTotal(page, 160);
      const rows = page.locator("tr[data-run]");
      assert(await rows.count() < 120, `${await rows.count()} rows are drawn`);
      await rowOf(page, "etl-0").waitFor();
      await page.mouse.move(700, 500);
      await page.mouse.wheel(0, 1_000_000);
      await rowOf(page, "etl-159").waitFor();
      assertEquals(await rowOf(page, "etl-159").getAttribute("aria-rowindex"), "161");
      assert(await rows.count() < 120, `${await rows.count()} rows are drawn at the end`);
      await feed.progress("etl-158", { progress: "2/3" });
      await rowOf(page, "etl-158").getByText("2/3").waitFor();
    },
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
  journey("UI-21 sorting: by duration is done by the server, across all pages", async ({ feed, open, page }) => {
    const names = () => page.locator("tr[data-run]").evaluateAll((rows) => rows.map((row) => row.dataset.run));
    const inOrder = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `etl-${59 - from - index}`);
    // The longest runs started first: in the default order they are not in the first window. Every third is archived.
    for (let at = 0; at < 60; at++) {
      const startedAt = new Date(Date.UTC(2026, 2, 1, 2, 60 - at)).toISOString().replace(".000", "");
      const finishedAt = new Date(Date.parse(startedAt) + (at + 1) * 10_000).toISOString().replace(".000", "");
      const run = { phase: "Succeeded", startedAt, status: { finishedAt } };
      if (at % 3 > 0) await feed.run(`etl-${at}`, run);
      else {
        const { metadata, ...rest } = seededRun(`etl-${at}`, run);
        await feed.archive({ ...rest, metadata: { ...metadata, uid: `uid-${at}`, creationTimestamp: startedAt } });
      }
    }
    await open(`${feed.url}workflows/data`);
    await awaitTotal(page, 60);
    await rowOf(page, "etl-0").waitFor();
    await page.getByRole("columnheader", { name: "Duration" }).getByRole("link").click();
    await rowOf(page, "etl-59").waitFor();
    assertEquals(await names(), inOrder(0, 50));
    assertEquals(await page.getByRole("columnheader", { name: "Duration" }).getAttribute("aria-sort"), "descending");
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("51 to 60 of 60").waitFor();
    await rowOf(page, "etl-0").waitFor();
    // The new window is scrolled to its beginning.
    await awaitTrue(page, "scrollY === 0");
    assertEquals(await names(), inOrder(50, 60));
    const asked = feed.seen.findLast(({ path }) => path === "/api/v1/workflows/data")!.query;
    assertEquals([asked.get("sort"), asked.get("listOptions.continue")], ["-duration", "50"]);
    await page.getByRole("combobox", { name: "Order" }).selectOption("Shortest first");
    await page.getByText("1 to 50 of 60").waitFor();
    await rowOf(page, "etl-10").waitFor();
    assertEquals((await names()).slice(0, 2), ["etl-0", "etl-1"]);
    // The duration of a running run is the time until now, here two hours.
    await page.goBack();
    await page.goBack();
    await page.getByText("1 to 50 of 60").waitFor();
    await rowOf(page, "etl-59").waitFor();
    await page.evaluate("scrollTo(0, 0)");
    await feed.run("slow", { startedAt: "2026-03-28T10:00:00Z" });
    await rowOf(page, "slow").waitFor();
    assertEquals((await names()).slice(0, 2), ["slow", "etl-59"]);
  }, { withStores: true }),
  journey(
    "UI-16 list: of 10,000 rows, those that are scrolled to are loaded, and the scrollbar is accurate",
    async (scene) => {
      const { feed, open, page } = scene;
      const count = 10_000;
      const windows: (readonly [offset: number, limit: number])[] = [];
      feed.fault = ({ path, query }) => {
        if (path !== "/api/v1/workflows/data") return undefined;
        const [offset, limit] = [query.get("listOptions.continue"), query.get("listOptions.limit")].map(Number);
        windows.push([offset!, limit!]);
        const items = Array.from({ length: Math.min(limit!, count - offset!) }, (_, index) => {
          const run = seededRun(`run-${offset! + index}`, { phase: "Succeeded" });
          return { ...run, metadata: { ...run.metadata, uid: `uid-${offset! + index}`, resourceVersion: "1" } };
        });
        const metadata = { resourceVersion: "1", remainingItemCount: String(count - offset! - items.length) };
        return Response.json({ metadata, items });
      };
      await open(`${feed.url}workflows/data`);
      await page.getByRole("link", { name: "As one list" }).click();
      await awaitQuery(page, { limit: "0" });
      await page.getByRole("link", { name: "Pages of 50" }).waitFor();
      await rowOf(page, "run-0").waitFor();
      await tick(page, "run-3");
      const height = () => page.evaluate<number>("document.documentElement.scrollHeight");
      const before = await height();
      // 90 % of the height of the rows is row 9,000.
      await page.evaluate(`(() => {
      const { top, height } = document.querySelector(".runs tbody").getBoundingClientRect();
      scrollTo(0, top + scrollY + 0.9 * height - 300);
    })()`);
      await rowOf(page, "run-9000").waitFor();
      const box = (await rowOf(page, "run-9000").boundingBox())!;
      assert(Math.abs(box.y - 300) <= 2, `row 9,000 lies at ${box.y} in place of 300`);
      assertEquals(await rowOf(page, "run-9000").getAttribute("aria-rowindex"), "9002");
      assertEquals(await height(), before);
      await tick(page, "run-9001");
      await page.getByText("2 selected").waitFor();
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      await rowOf(page, "run-9999").waitFor();
      assert(await page.locator("tr[data-run]").count() < 120, "not all rows are drawn");
      await page.evaluate("scrollTo(0, 0)");
      await rowOf(page, "run-3").waitFor();
      assertEquals(await page.getByRole("checkbox", { name: "Select run-3", exact: true }).isChecked(), true);
      await page.getByText("2 selected").waitFor();
      assert(windows.every(([, limit]) => limit > 0 && limit <= 200), JSON.stringify(windows));
      assert(windows.length <= 8, JSON.stringify(windows));
    },
  ),
  journey("UI-16 list: a long list is split into windows with links", async ({ feed, open, page }) => {
    for (let at = 0; at < 60; at++) {
      await feed.run(`etl-${at}`, {
        startedAt: new Date(Date.UTC(2026, 2, 1, 0, at)).toISOString().replace(".000", ""),
      });
    }
    await open(`${feed.url}workflows/data`);
    await awaitTotal(page, 60);
    await page.getByText("1 to 50 of 60").waitFor();
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("51 to 60 of 60").waitFor();
    await rowOf(page, "etl-0").waitFor();
    await page.goBack();
    await rowOf(page, "etl-59").waitFor();
  }),
];
