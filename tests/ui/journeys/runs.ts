/** Journeys on the list of runs: its rows, their order, and details of a run. */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { awaitTrue } from "../played/played_journey.ts";
import { awaitQuery } from "../browser.ts";
import { awaitGone, awaitTotal, rowOf } from "../list_of_runs.ts";
import { type Journey, journey } from "../journey.ts";
import { WORKFLOWS } from "@tiphys/kube";
import { NAMESPACE, NOW, seededRun } from "../feed/feed.ts";
import { failedRun } from "../played/played_runs.ts";

const tick = (page: Page, name: string) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();

export const RUNS: readonly Journey[] = [
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
      assertEquals(
        await row.locator(".about a").evaluateAll((all) => all.map((element) => element.getAttribute("href"))),
        [
          "https://example.com/docs",
        ],
      );
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
    for (let index = 0; index < 6; index++) {
      const startedAt = new Date(NOW - index * 3_600_000).toISOString();
      await feed.run(`etl-${index}`, { phase: index === 2 ? "Failed" : "Succeeded", startedAt });
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
  journey("UI-13 list: if the focused row is removed, the row at its position gets the focus", async (scene) => {
    const { feed, open, page } = scene;
    for (const [index, name] of ["etl-1", "etl-2", "etl-3"].entries()) {
      await feed.run(name, { startedAt: `2026-03-28T11:0${9 - index}:00Z` });
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
      for (let index = 0; index < 160; index++) {
        const startedAt = new Date(Date.UTC(2026, 2, 1, 0, 160 - index)).toISOString().replace(".000", "");
        await feed.run(`etl-${index}`, { startedAt });
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
  journey("UI-21 sorting: by duration is done by the server, across all pages", async ({ feed, open, page }) => {
    const names = () => page.locator("tr[data-run]").evaluateAll((rows) => rows.map((row) => row.dataset.run));
    const inOrder = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `etl-${59 - from - index}`);
    // The longest runs started first: in the default order they are not in the first window. Every third is archived.
    for (let index = 0; index < 60; index++) {
      const startedAt = new Date(Date.UTC(2026, 2, 1, 2, 60 - index)).toISOString().replace(".000", "");
      const finishedAt = new Date(Date.parse(startedAt) + (index + 1) * 10_000).toISOString().replace(".000", "");
      const run = { phase: "Succeeded", startedAt, status: { finishedAt } };
      if (index % 3 > 0) await feed.run(`etl-${index}`, run);
      else {
        const { metadata, ...rest } = seededRun(`etl-${index}`, run);
        await feed.archive({ ...rest, metadata: { ...metadata, uid: `uid-${index}`, creationTimestamp: startedAt } });
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
    for (let index = 0; index < 60; index++) {
      await feed.run(`etl-${index}`, {
        startedAt: new Date(Date.UTC(2026, 2, 1, 0, index)).toISOString().replace(".000", ""),
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
