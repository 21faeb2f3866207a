/** Journeys by keyboard, in dark mode, and on small screens. */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { Workflow } from "@tiphys/model/api";
import { type KubeObject, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { NARROW, WIDE } from "../browser.ts";
import { type Feed, NAMESPACE, seededRun } from "../feed/feed.ts";
import { type Journey, journey } from "../journey.ts";
import { failedRun } from "../played/played_runs.ts";

const DESCRIBED = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "WorkflowTemplate",
  metadata: { name: "etl", namespace: NAMESPACE, annotations: { "workflows.argoproj.io/description": "Loads a day" } },
  spec: { arguments: { parameters: [{ name: "region" }] }, templates: [] },
} as KubeObject;

const HEAD = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "etl", namespace: NAMESPACE, labels: { "workflows.argoproj.io/phase": "Failed" } },
};

async function seedRuns(feed: Feed): Promise<void> {
  await feed.run("etl-7x2", { labels: { team: "data" } });
  await feed.run("etl-7wq", { phase: "Failed", status: { message: 'extract: exit code 1: "no such table: days"' } });
  await feed.run("report-9", { phase: "Succeeded" });
  await feed.run("import-3", { phase: "Error", status: { message: "pod deleted" } });
  await feed.run("nightly-1", { phase: "Pending", status: { startedAt: null, message: "waits for lock data/db" } });
}

/** URLs that are tested at different zoom levels, with the smallest number of focusable elements of each. */
const ZOOMED: Readonly<Record<string, number>> = {
  "workflows/data": 15,
  "workflows/data/etl?tab=graph": 20,
  "workflows/data/etl?tab=tree&nodeId=etl": 25,
  "workflows/data/etl?show=critical": 20,
  "workflows/data/etl?tab=logs": 20,
  "workflow-templates/data/etl?tab=manifest": 12,
  "reports/data": 10,
  "apidocs": 30,
  "userinfo": 12,
};

/**
 * Moves through a page with Tab until the focus leaves it. Returns the number of stops, and the stops that are covered
 * or out of view.
 */
async function tabThrough(page: Page, limit: number): Promise<{ stops: number; faults: string[] }> {
  const faults: string[] = [];
  for (let stops = 0; stops < limit; stops++) {
    // The editor handles Tab itself until Escape is pressed.
    if (await page.evaluate("Boolean(document.activeElement?.shadowRoot)")) await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    // Samples points of the visible part of the element. Most of them must belong to it, not to an element above it.
    const fault = await page.evaluate<string | undefined>(`(() => {
      const { activeElement: one } = document;
      if (one === document.body) return undefined;
      const name = one.outerHTML.slice(0, 120);
      const isOwn = (seen) => one.contains(seen) || [...one.labels ?? []].some((label) => label.contains(seen));
      // A link may be broken into several lines.
      const points = [...one.getClientRects()].flatMap(({ left, right, top, bottom }) => {
        const [x0, x1] = [Math.max(0, left), Math.min(innerWidth, right)];
        const [y0, y1] = [Math.max(0, top), Math.min(innerHeight, bottom)];
        if (x1 - x0 < 2 || y1 - y0 < 2) return [];
        return [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [x0 + (x1 - x0) * x, y0 + (y1 - y0) * y]));
      });
      if (points.length === 0) return "out of sight: " + name;
      const own = points.filter(([x, y]) => isOwn(document.elementFromPoint(x, y))).length;
      // Only the beginning of a tall element has to be in view.
      const isTall = one.getBoundingClientRect().height > innerHeight / 4;
      return own > (isTall ? 0 : points.length / 2) ? "" : "covered: " + name;
    })()`);
    if (fault === undefined) return { stops, faults };
    if (fault !== "") faults.push(fault);
  }
  return { stops: limit, faults };
}

export const EVERYONE: readonly Journey[] = [
  journey(
    "UI-83 palette: finds pages by letters, and runs by a part of their names",
    async ({ feed, open, page }) => {
      await seedRuns(feed);
      await open(`${feed.url}workflows/data`);
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search or run an action" }).waitFor();
      await page.keyboard.type("gts");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Schedules", exact: true }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search or run an action" }).waitFor();
      await page.keyboard.type("7wq");
      await page.getByRole("option", { name: "data / etl-7wq" }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "etl-7wq" }).waitFor();
    },
  ),
  journey("UI-83 palette: offers exactly the actions that are available where it was opened", async (scene) => {
    const { feed, open, page } = scene;
    await seedRuns(feed);
    await open(`${feed.url}workflows/data`);
    const palette = page.getByRole("combobox", { name: "Search or run an action" });
    const select = page.getByRole("option", { name: "Select or deselect the run" });
    const choose = async (word: string) => {
      await page.keyboard.press("Control+k");
      await palette.fill(word);
    };
    await choose("run");
    await page.getByRole("option", { name: "Next run" }).waitFor();
    assertEquals(await select.count(), 0);
    await palette.fill("find runs");
    await page.keyboard.press("Enter");
    await page.locator("input:focus").and(page.getByLabel("Filter runs")).waitFor();
    await page.getByRole("link", { name: "etl-7wq", exact: true }).focus();
    await choose("select");
    await select.waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("1 selected").waitFor();
    await page.getByRole("link", { name: "etl-7wq", exact: true }).click();
    await page.getByRole("heading", { name: "etl-7wq", exact: true }).waitFor();
    await choose("run");
    await page.getByRole("option", { name: "Go to runs" }).waitFor();
    assertEquals(await page.getByRole("option", { name: "Next run" }).count(), 0);
    await palette.fill("ret");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Retry etl-7wq" }).waitFor();
  }),
  journey("UI-84 shortcuts: do nothing while the user types, or if they are off", async ({ feed, open, page }) => {
    await seedRuns(feed);
    await open(`${feed.url}workflows/data`);
    await page.getByLabel("Filter runs").fill("");
    await page.keyboard.type("gt");
    assertEquals(page.url(), `${feed.url}workflows/data`);
    await open(`${feed.url}userinfo`);
    await page.getByLabel("Single-letter keys").uncheck();
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    assertEquals(page.url(), `${feed.url}userinfo`);
    await page.getByLabel("Single-letter keys").check();
    await page.getByRole("heading", { name: "Settings", exact: true }).click();
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await page.getByRole("heading", { name: "Templates", exact: true }).waitFor();
  }),
  journey(
    "UI-83 API page: finds routes by words, and each route has a URL that shows its requirements",
    async (scene) => {
      const { feed, open, page } = scene;
      await open(`${feed.url}help`);
      await page.getByRole("link", { name: "The API" }).click();
      await page.getByRole("heading", { name: "API", exact: true }).waitFor();
      await page.getByLabel("Find routes").fill("workflows delete pods");
      await page.getByRole("link", { name: "PUT /api/v1/workflows/{namespace}/{name}/retry" }).click();
      const address = `${feed.url}apidocs?find=workflows+delete+pods&route=WorkflowService_RetryWorkflow`;
      await page.waitForURL(address);
      await page.getByText("get workflows, update workflows, delete pods", { exact: true }).waitFor();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "All routes as JSON" }).click(),
      ]);
      const routes: readonly { readonly id: string }[] = JSON.parse(await Deno.readTextFile(await file.path()));
      assert(routes.some(({ id }) => id === "WorkflowService_RetryWorkflow"));
      await page.setViewportSize({ width: NARROW.width, height: NARROW.height });
      await open(`${feed.url}apidocs?route=SensorService_SensorsLogs`);
      await page.getByText("a stream of sensor.LogEntry").waitFor();
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      assertEquals(overflow, 0);
      for (
        const [link, name, has] of [
          ["Swagger of the API", "swagger.json", '"operationId":"WorkflowService_RetryWorkflow"'],
          ["JSON schema of the kinds", "schema.json", '"$ref":"#/definitions/CronWorkflow"'],
        ] as const
      ) {
        const downloaded = page.waitForEvent("download");
        await page.getByRole("link", { name: link }).click();
        const file = await downloaded;
        assertEquals(file.suggestedFilename(), name);
        assert((await Deno.readTextFile((await file.path())!)).includes(has), name);
      }
    },
  ),
  journey("UI-17 shortcuts: move along runs, select and preview them, and are listed in a dialog", async (scene) => {
    const { feed, open, page } = scene;
    for (const index of [1, 2, 3]) await feed.run(`etl-${index}`, { startedAt: `2026-03-28T10:0${index}:00Z` });
    await open(`${feed.url}workflows/data`);
    const focused = () => page.evaluate<string>("document.activeElement.closest('tr')?.dataset.run ?? ''");
    await page.getByRole("link", { name: "etl-1", exact: true }).waitFor();
    await page.keyboard.press("x");
    assertEquals(await page.getByText("1 selected").count(), 0);
    await page.keyboard.press("j");
    assertEquals(await focused(), "etl-3");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    assertEquals(await focused(), "etl-1");
    await page.keyboard.press("x");
    await page.getByText("2 selected").waitFor();
    await page.keyboard.press("k");
    assertEquals(await focused(), "etl-2");
    await page.keyboard.press(" ");
    await page.getByRole("complementary").getByRole("link", { name: "etl-2" }).waitFor();
    await page.waitForURL(({ searchParams }) => searchParams.has("peek"));
    assertEquals(await focused(), "etl-2");
    await page.keyboard.press(" ");
    await page.getByRole("complementary").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await keys.getByText("Select or deselect the run").waitFor();
    await keys.getByText("Space", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.locator(".told").getByText(/^Suspended 2/).waitFor();
    await page.getByRole("link", { name: "etl-2", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "etl-2", exact: true }).waitFor();
    await page.keyboard.press("?");
    await keys.getByText("Show the critical path").waitFor();
  }),
  journey("UI-17 shortcuts: keys that are pressed faster than frames are drawn select all runs", async (scene) => {
    const { feed, open, page } = scene;
    for (const index of [1, 2, 3]) await feed.run(`etl-${index}`, { startedAt: `2026-03-28T10:0${index}:00Z` });
    await open(`${feed.url}workflows/data`);
    await page.getByRole("link", { name: "etl-1", exact: true }).waitFor();
    // Presses each key as soon as the previous one has changed the DOM, before a frame is drawn.
    await page.evaluate(`(async () => {
      const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      press("j");
      for (let at = 0; at < 3; at++) {
        const changed = new Promise((resolve) => {
          new MutationObserver(resolve).observe(document.body, { childList: true, subtree: true, characterData: true });
        });
        press("x");
        await changed;
        press("j");
      }
    })()`);
    await page.getByText("3 selected").waitFor();
  }),
  journey("UI-13 list: a focused row has the focus after it moves to another position", async (scene) => {
    const { feed, open, page } = scene;
    for (const index of [1, 2, 3]) await feed.run(`etl-${index}`, { startedAt: `2026-03-28T10:0${index}:00Z` });
    await feed.run("nightly-1", { phase: "Pending", status: { startedAt: null } });
    await open(`${feed.url}workflows/data`);
    const nightly = page.getByRole("link", { name: "nightly-1", exact: true });
    await page.locator("tbody tr").first().and(page.locator("[data-run=nightly-1]")).waitFor();
    await nightly.focus();
    await feed.progress("nightly-1", { phase: "Running", startedAt: "2026-03-28T10:02:30Z" });
    await page.locator("tbody tr").nth(1).and(page.locator("[data-run=nightly-1]")).waitFor();
    await feed.progress("etl-2", { startedAt: "2026-03-28T10:02:40Z" });
    await page.locator("tbody tr").nth(2).and(page.locator("[data-run=nightly-1]")).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "nightly-1", exact: true }).waitFor();
  }),
  journey(
    "UI-86 settled: the page reports that it has no pending work exactly when all data is drawn",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.run("etl-1", { status: { message: "it works" } });
      // Records the text of the page each time it is settled.
      await page.addInitScript(`
      globalThis.shownSettled = [];
      new MutationObserver(() => {
        const { settled } = document.documentElement.dataset;
        if (settled === "true") shownSettled.push(document.querySelector("main")?.innerText ?? "");
      }).observe(document, { subtree: true, attributeFilter: ["data-settled"] })`);
      const places = {
        "workflows/data": "etl-1",
        "workflows/data/etl-1": "it works",
        "workflow-templates/data": "No templates yet",
        "reports/data": "No run has finished yet",
      };
      for (const [place, word] of Object.entries(places)) {
        await open(`${feed.url}${place}`);
        const shown = await page.evaluate<readonly string[]>("shownSettled");
        assertEquals(shown.filter((text) => !text.includes(word)), [], place);
      }
    },
  ),
  journey("UI-85 small screen: rows are cards, and nothing is cut off", async ({ feed, open, page }) => {
    await seedRuns(feed);
    await open(`${feed.url}workflows/data`);
    await page.getByRole("link", { name: "etl-7wq", exact: true }).waitFor();
    const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    assert(overflow <= 0, `the page is ${overflow} px wider than the screen`);
    const [filter, order] = await Promise.all(
      ["Filter runs: part of a name, phase:failed, label:team=a, after:2026-03-28, before:2h", "Order"].map((name) =>
        page.getByLabel(name, { exact: true }).boundingBox()
      ),
    );
    assertEquals(order!.x, filter!.x, "the order menu is aligned with the filter");
    await page.getByRole("button", { name: "Actions of etl-7wq" }).click();
    await page.getByRole("button", { name: "Show details" }).click();
    await page.getByRole("complementary").getByText("no such table").waitFor();
  }, { look: NARROW }),
  journey("UI-87 dark mode: the page follows the system setting while it is open", async ({ feed, open, page }) => {
    await seedRuns(feed);
    await open(`${feed.url}workflows/data`);
    const ground = () => page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
    assertEquals(await ground(), "rgb(255, 255, 255)");
    await page.emulateMedia({ colorScheme: "dark" });
    assertEquals(await ground(), "rgb(15, 19, 23)");
    await open(`${feed.url}userinfo`);
    await page.getByLabel("Theme").selectOption("light");
    assertEquals(await ground(), "rgb(255, 255, 255)");
    await page.getByLabel("Theme").selectOption("dark");
    await open(`${feed.url}workflows/data`);
  }, { look: WIDE }),
  journey("UI-86 icons: have the same labels in dark mode and on a small screen", async (scene) => {
    const { feed, open, page } = scene;
    await seedRuns(feed);
    await open(`${feed.url}workflows/data?peek=`);
    await page.getByRole("link", { name: "import-3", exact: true }).waitFor();
    assertEquals(await page.getByRole("img", { name: "Error" }).count(), 1);
  }, { look: { ...NARROW, theme: "dark" } }),
  journey("UI-24 columns: each checkbox of the menu has its label next to it", async ({ feed, open, page }) => {
    await seedRuns(feed);
    await open(`${feed.url}workflows/data`);
    await page.getByText("Columns", { exact: true }).click();
    const choice = page.locator(".menu-body label");
    await choice.first().waitFor();
    const hidden = await choice.evaluateAll((all) =>
      all.flatMap((label) => {
        const words = label.ownerDocument.createRange();
        words.selectNodeContents(label.lastChild!);
        const { right } = words.getBoundingClientRect();
        return right <= label.parentElement!.getBoundingClientRect().right ? [] : [label.textContent];
      })
    );
    assertEquals(hidden, []);
  }),
  journey("UI-85 small screen: values in a row have labels, and tables of values remain tables", async (scene) => {
    const { feed, open, page } = scene;
    await feed.put([WORKFLOW_TEMPLATES, DESCRIBED]);
    await feed.runWithArtifacts("etl-1", { "table.csv": "day,rows\n1,20\n" });
    await open(`${feed.url}workflow-templates/data`);
    const said = "getComputedStyle(document.querySelector('td[data-head]'), '::before').content";
    assertEquals(await page.evaluate<string>(said), '"Parameters "');
    await page.getByText("Loads a day").waitFor();
    assert((await page.getByText("Loads a day").boundingBox())!.height < 30, "the description is in one line");
    await open(`${feed.url}workflows/data/etl-1?tab=artifacts`);
    await page.getByRole("link", { name: "table.csv", exact: true }).click();
    await page.getByRole("columnheader", { name: "rows" }).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await open(`${feed.url}help`);
    const [key, does] = await page.locator(".keys tr").first().locator("td").evaluateAll((all) =>
      all.map((cell) => cell.getBoundingClientRect().top)
    );
    assertEquals(key, does);
  }, { look: NARROW, withStores: true }),
  ...[{ zoom: 200, width: 720, height: 450 }, { zoom: 400, width: 360, height: 225 }].map(({ zoom, width, height }) =>
    journey(
      `UI-86 zoom: at ${zoom} % no page scrolls horizontally, and the focused element is in view`,
      async (scene) => {
        const { feed, open, page } = scene;
        await feed.put([WORKFLOWS, { ...(await failedRun("etl")), ...HEAD } as unknown as KubeObject], [
          WORKFLOW_TEMPLATES,
          DESCRIBED,
        ]);
        const faults: string[] = [];
        for (const [place, least] of Object.entries(ZOOMED)) {
          await open(`${feed.url}${place}`);
          const over = await page.evaluate<number>(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth",
          );
          if (over > 0) faults.push(`${place}: ${over} px too wide`);
          const walk = await tabThrough(page, 30);
          if (walk.stops < least) faults.push(`${place}: only ${walk.stops} stops`);
          faults.push(...walk.faults.map((fault) => `${place}: ${fault}`));
        }
        assertEquals(faults, []);
      },
      { look: { width, height, theme: "light" } },
    )
  ),
  journey("UI-85 small screen: the navigation has complete words in one line", async ({ feed, open, page }) => {
    await open(`${feed.url}workflows/data`);
    for (const width of [390, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const { height } = (await page.locator(".nav").boundingBox())!;
      assert(height <= 54, `the row is ${height} px high at ${width} px`);
      const cut = await page.locator(".nav li a").evaluateAll((all) =>
        all.flatMap((element) =>
          element.scrollWidth > element.clientWidth || element.getBoundingClientRect().width < 40
            ? [element.textContent]
            : []
        )
      );
      assertEquals(cut, [], `at ${width} px`);
    }
  }, { look: NARROW }),
  journey("UI-85 small screen: no element covers the focused one", async ({ feed, open, page }) => {
    await feed.put([WORKFLOWS, { ...(await failedRun("etl")), ...HEAD } as unknown as KubeObject]);
    const { width, height } = NARROW;
    for (
      const [place, wide] of [["apidocs", width], ["workflows/data/etl?nodeId=etl", width], [
        "workflows/data/etl?nodeId=etl",
        800,
      ]] as const
    ) {
      await page.setViewportSize({ width: wide, height });
      await open(`${feed.url}${place}`);
      const { stops, faults } = await tabThrough(page, 30);
      assertEquals([stops, faults], [30, []], `${place} at ${wide} px`);
    }
  }, { look: NARROW }),
  journey(
    "UI-85 tablet: the panel of a node is a sheet, and the graph has the full width",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.put([WORKFLOWS, { ...(await failedRun("etl")), ...HEAD } as unknown as KubeObject]);
      await open(`${feed.url}workflows/data/etl?nodeId=etl`);
      for (const width of [724, 800, 860, 900]) {
        await page.setViewportSize({ width, height: 900 });
        const [graph, panel] = await Promise.all(
          [".graph-frame", ".node-panel"].map((selector) => page.locator(selector).boundingBox()),
        );
        assert(graph!.width > width - 76 - 60, `the graph is ${graph!.width} px wide at ${width} px`);
        assertEquals([panel!.x, panel!.x + panel!.width, panel!.y + panel!.height], [76, width, 900]);
        assert(panel!.y > graph!.y + 100, `the panel begins at ${panel!.y}, the graph at ${graph!.y}`);
      }
      await page.getByRole("button", { name: "Close the panel" }).click();
      await page.locator(".node-panel").waitFor({ state: "detached" });
    },
  ),
  journey(
    "UI-84 list of all namespaces: on a narrow desktop screen, messages and row actions remain visible",
    async (scene) => {
      const { feed, open, page } = scene;
      for (let i = 0; i < 12; i++) {
        const name = `etl-nightly-of-the-warehouse-${1000 + i}`;
        const run = seededRun(name, {
          phase: "Failed",
          status: { message: "child 'load' failed: out of memory", progress: "3/5000" },
        });
        const namespace = `team-of-the-supplier-${i % 5}`;
        await feed.put([WORKFLOWS, { ...run, metadata: { ...run.metadata, namespace } }]);
      }
      await open(`${feed.url}workflows`);
      const room = (await page.locator(".table-room").boundingBox())!;
      const row = page.locator("tr[data-run]").first();
      const name = await row.locator("td.name").evaluate((cell) => [cell.scrollWidth - cell.clientWidth]);
      assertEquals(name, [0]);
      const [message, last] = await Promise.all(
        ["td.message", "td.tick:last-child"].map((cell) => row.locator(cell).boundingBox()),
      );
      assert(message!.width >= 64, `the message has ${message!.width} px`);
      assert(last!.x + last!.width <= room.x + room.width + 1, `the last cell ends at ${last!.x + last!.width} px`);
    },
    { look: { width: 1024, height: 768, theme: "dark" } },
  ),
  journey(
    "UI-84 long names: names that differ only at the end are distinguishable on screen and for screen readers",
    async (scene) => {
      const { feed, open, page } = scene;
      const long = "customer-data-warehouse-nightly-aggregation-pipeline-eu-west-1";
      await feed.run(`${long}-x7k2p`, { labels: { team: "data" } });
      await feed.run("etl-1", { annotations: { "workflows.argoproj.io/title": "Nightly **aggregation** ".repeat(5) } });
      await open(`${feed.url}workflows/data`);
      const link = page.getByRole("link", { name: `${long}-x7k2p`, exact: true });
      await link.waitFor();
      for (const end of [link.locator(".cut > :last-child"), page.getByText("etl-1", { exact: true })]) {
        const [box, room] = await Promise.all([end.boundingBox(), page.locator("td.name").first().boundingBox()]);
        assert(
          box!.x >= room!.x && box!.x + box!.width <= room!.x + room!.width,
          `it ends at ${box!.x + box!.width} px`,
        );
      }
      await page.locator(".columns > summary").click();
      const { height } = (await page.getByRole("button", { name: "Add" }).boundingBox())!;
      assert(height < 34, `the button is ${height} px high: its word is broken`);
    },
    { look: { width: 1024, height: 768, theme: "light" } },
  ),
  journey(
    "UI-84 parameters: hundreds of values are readable next to their names, and do not enlarge rows of lists",
    async (
      { feed, open, page },
    ) => {
      const parameters = Array.from(
        { length: 240 },
        (_, index) => ({ name: `parameter-of-the-warehouse-${index}`, value: "eu" }),
      );
      const { spec } = DESCRIBED as unknown as { spec: object };
      const large = { ...DESCRIBED, spec: { ...spec, arguments: { parameters } } } as unknown as KubeObject;
      await feed.put([WORKFLOW_TEMPLATES, large]);
      await open(`${feed.url}workflow-templates/data`);
      const row = (await page.locator(".templates tbody tr").boundingBox())!;
      assert(row.height < 40, `the row is ${row.height} px high`);
      await page.getByText("parameter-of-the-warehouse-2 and 237 more").waitFor();
      await open(`${feed.url}workflow-templates/data/etl?sidePanel=submit`);
      const submit = page.getByRole("dialog").getByRole("button", { name: "Submit" });
      const { y, height } = (await submit.boundingBox())!;
      assert(y + height < 900, `the button lies at ${y} px`);
      const startedAt = "2026-03-28T11:57:00Z";
      const node = { id: "etl", name: "etl", displayName: "etl", type: "Pod", phase: "Running", startedAt };
      const nodes = { etl: { ...node, inputs: { parameters } } };
      await feed.run("etl", { phase: "Running", status: { nodes } });
      await open(`${feed.url}workflows/data/etl?nodeId=etl&nodePanelView=inputs-outputs`);
      const value = (await page.locator(".node-panel dd").first().boundingBox())!;
      assert(value.width > 160, `a value has ${value.width} px`);
    },
  ),
  journey("UI-84 reduced motion: nothing is animated; otherwise, icons of running nodes turn", async (scene) => {
    const { feed, open, page } = scene;
    const startedAt = "2026-03-28T11:57:00Z";
    const node = {
      id: "etl",
      name: "etl",
      displayName: "etl",
      type: "Pod",
      templateName: "main",
      phase: "Running",
      startedAt,
    };
    await feed.run("etl", { phase: "Running", status: { nodes: { etl: node } } });
    const moving = () =>
      page.evaluate<string[]>(`document.getAnimations()
        .filter((one) => one.effect.getComputedTiming().activeDuration > 0)
        .map((one) => one.effect.target.outerHTML.slice(0, 80))`);
    const seen: Record<string, number> = {};
    for (
      const place of [
        "workflows/data",
        "workflows/data/etl",
        "workflows/data/etl?tab=tree",
        "workflows/data/etl?nodeId=etl",
      ]
    ) {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await open(`${feed.url}${place}`);
      assertEquals(await moving(), [], place);
      // Hovered and focused elements are not animated either.
      await page.locator("main a, main button").first().hover();
      await page.keyboard.press("Tab");
      assertEquals(await moving(), [], place);
      await page.emulateMedia({ reducedMotion: "no-preference" });
      seen[place] = (await moving()).length;
    }
    assert(Object.values(seen).every((count) => count > 0), JSON.stringify(seen));
    await page.emulateMedia({ reducedMotion: "reduce" });
    assertEquals(await moving(), []);
  }),
  journey("UI-85 small screen: a dialog with long values fits", async ({ feed, open, page }) => {
    const run = seededRun(`etl-${"x".repeat(240)}`, { phase: "Failed" }) as unknown as Workflow;
    const parameters = [{ name: `of-the-supplier-${"y".repeat(120)}`, value: "value ".repeat(200) }];
    await feed.put([WORKFLOWS, { ...run, spec: { ...run.spec, arguments: { parameters } } } as unknown as KubeObject]);
    await open(`${feed.url}workflows/data/${run.metadata.name}?sidePanel=retry`);
    const dialog = page.getByRole("dialog", { name: /^Retry/ });
    await dialog.waitFor();
    assertEquals(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth), 0);
  }, { look: NARROW }),
  journey(
    "UI-06 login: a run that requires it links to the login and back, and a missing run links to the list",
    async (
      { feed, open, page, expectStatus },
    ) => {
      expectStatus(401, 404);
      feed.fault = ({ path }) =>
        path.endsWith("/etl-1") ? Response.json({ code: 16, message: "token not valid" }, { status: 401 }) : undefined;
      const address = `${feed.url}workflows/data/etl-1?tab=logs`;
      await open(address);
      const login = await page.getByRole("link", { name: "Log in" }).getAttribute("href");
      assertEquals(new URL(login!).searchParams.get("redirect"), address);
      await open(`${feed.url}workflows/data/none`);
      await page.getByRole("link", { name: "Back to the list" }).click();
      await page.waitForURL(`${feed.url}workflows/data`);
    },
  ),
  journey("UI-41 timeline and tree: a run without started nodes shows a note below the toolbar", async (scene) => {
    const { feed, open, page } = scene;
    await feed.run("etl-1", { phase: "Pending", status: { startedAt: null } });
    for (const tab of ["timeline", "tree"]) {
      await open(`${feed.url}workflows/data/etl-1?tab=${tab}`);
      const note = (await page.getByText("Nothing has started yet.").boundingBox())!;
      const tools = (await page.locator(".rows-tab .tools").boundingBox())!;
      assert(note.y - tools.y < 60, `${tab}: ${note.y - tools.y} px below the tools`);
    }
  }),
];
