/** Journeys about the layout of pages: widths, heights and positions. */
import { awaitFact } from "../../await_fact.ts";
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { CRON_WORKFLOWS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { NARROW } from "../browser.ts";
import { NAMESPACE, NOW } from "../feed/feed.ts";
import { type Journey, journey } from "../journey.ts";
import { failedRun } from "../played/played_runs.ts";

/** The computed font sizes of elements. */
async function letterSizes(page: Page, selectors: readonly string[]): Promise<string[]> {
  const sizes: string[] = [];
  for (const selector of selectors) {
    sizes.push(await page.locator(selector).first().evaluate((element) => getComputedStyle(element).fontSize));
  }
  return sizes;
}

/** The distinct heights of visible controls below a selector. */
async function heightsOf(page: Page, selector: string): Promise<number[]> {
  const heights = await page.locator(`${selector} :is(.button:not(.plain), select, input:not([type=checkbox]))`)
    .evaluateAll((all) =>
      all.map((element) =>
        (element as unknown as { getBoundingClientRect(): { height: number } }).getBoundingClientRect().height
      )
    );
  return [...new Set(heights.filter((height) => height > 0).map((height) => Math.round(height * 2) / 2))];
}

/** The left edges of the column headers. */
async function columnEdges(page: Page): Promise<number[]> {
  return await page.locator("th").evaluateAll((all) =>
    all.map((element) =>
      Math.round((element as unknown as { getBoundingClientRect(): { left: number } }).getBoundingClientRect().left)
    )
  );
}

declare function getComputedStyle(element: unknown): { readonly fontSize: string; readonly animationDelay: string };

export const LOOK: readonly Journey[] = [
  journey(
    "LOOK-1 typography: text uses the sizes of the scale, and controls in a row have one height",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.run("etl-1");
      const run = await failedRun("dag");
      const labels = { "workflows.argoproj.io/phase": "Failed" };
      await feed.put([WORKFLOWS, { ...run, metadata: { name: "dag", namespace: NAMESPACE, labels } } as never]);
      await open(`${feed.url}workflows/data`);
      await page.locator("tr[data-run=etl-1]").waitFor();
      assertEquals(await letterSizes(page, ["h1", "td.name", "th", ".live"]), ["20px", "14px", "12px", "13px"]);
      assertEquals(await heightsOf(page, ".filters"), [30]);
      await open(`${feed.url}workflows/data/dag?tab=logs`);
      await page.getByLabel("Find in the log").waitFor();
      for (const row of [".run-head", ".finder", ".logs .tools"]) assertEquals(await heightsOf(page, row), [30], row);
      await open(`${feed.url}workflows/data/dag?tab=graph`);
      await page.locator(".part").first().waitFor();
      for (const row of [".graph-tools", ".graph-exports"]) {
        assertEquals(await heightsOf(page, row), [30], row);
        assertEquals(await letterSizes(page, [`${row} .button`]), ["13px"], row);
      }
      await page.setViewportSize({ width: NARROW.width, height: NARROW.height });
      await open(`${feed.url}workflows/data`);
      const tops = await page.locator(".phases li").evaluateAll((all) =>
        all.map((element) =>
          (element as unknown as { getBoundingClientRect(): { top: number } }).getBoundingClientRect().top
        )
      );
      assertEquals(new Set(tops).size, 1);
    },
  ),
  journey(
    "LOOK-2 list: columns do not move when the filter changes, and no count is cut off",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.run("a", { phase: "Failed", startedAt: new Date(NOW - 86_400_000).toISOString() });
      for (let index = 0; index < 120; index++) {
        const name = `${index % 2 ? "clickstream-of-the-customers-of-europe" : "etl"}-${index}`;
        await feed.run(name, { status: { progress: `${1000 + index}/40000`, message: "waits for a lock" } });
      }
      await open(`${feed.url}workflows/data?limit=50`);
      await page.locator('[data-total="121"]').waitFor();
      const edges = await columnEdges(page);
      await open(`${feed.url}workflows/data?limit=50&Exact=a`);
      await page.locator('[data-total="1"]').waitFor();
      assertEquals(await columnEdges(page), edges);
      await open(`${feed.url}workflows/data?limit=500`);
      await page.locator(".windowed").waitFor();
      const cut = await page.locator("td.progress").evaluateAll((all) =>
        (all as unknown as { scrollWidth: number; clientWidth: number }[]).filter((element) =>
          element.scrollWidth > element.clientWidth
        ).length
      );
      assertEquals(cut, 0);
    },
  ),
  journey(
    "LOOK-3 heading: has the same position on every page",
    async ({ feed, open, page, expectStatus }) => {
      // Argo Events is not installed.
      expectStatus(404);
      const tops: Record<string, number> = {};
      for (
        const place of [
          "workflows",
          "workflow-templates",
          "cron-workflows",
          "event-flow",
          "reports",
          "userinfo",
          "help",
        ]
      ) {
        await open(`${feed.url}${place}`);
        tops[place] = Math.round((await page.locator("h1").boundingBox())?.y ?? -1);
      }
      assertEquals(Object.values(tops), Object.values(tops).fill(tops.workflows!), JSON.stringify(tops));
    },
  ),
  journey(
    "LOOK-4 titles: are visible at every width of a list, and printed pages are white in dark mode as well",
    async (scene) => {
      const { feed, open, page } = scene;
      const description = "Loads all days of all orders of all regions. ".repeat(20);
      await feed.put([WORKFLOW_TEMPLATES, {
        apiVersion: "argoproj.io/v1alpha1",
        kind: "WorkflowTemplate",
        metadata: {
          name: "etl",
          namespace: NAMESPACE,
          annotations: {
            "workflows.argoproj.io/title": "Loads days",
            "workflows.argoproj.io/description": description,
          },
        },
        spec: {
          arguments: { parameters: [{ name: "the-first-day-of-all" }, { name: "the-last-day" }] },
          templates: [],
        },
      } as never]);
      for (const width of [1440, 1024, 800, 390]) {
        await page.setViewportSize({ width, height: 800 });
        await open(`${feed.url}workflow-templates`);
        const box = await page.getByRole("link", { name: "Loads days" }).boundingBox();
        assert((box?.width ?? 0) > 60, `${width}: ${box?.width}`);
      }
      const ground = () => page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
      await page.emulateMedia({ colorScheme: "dark", media: "print" });
      assertEquals(await ground(), "rgb(255, 255, 255)");
      await page.emulateMedia({ colorScheme: "dark", media: "screen" });
      assertEquals(await ground(), "rgb(15, 19, 23)");
    },
  ),
  journey(
    "LOOK-5 loading: the space of the message is reserved immediately, and the message appears after a delay",
    async (scene) => {
      const { feed, page } = scene;
      const reached = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      await page.route("**/api/v1/workflow-templates/**", async (route) => {
        reached.resolve();
        await asked.promise;
        await route.continue();
      });
      await page.goto(`${feed.url}workflow-templates`);
      // Waits until the page's own scripts have loaded, which shows the same message.
      await reached.promise;
      const word = page.locator(".coming");
      await word.waitFor({ state: "attached" });
      assert((await word.boundingBox())!.height > 10);
      assertEquals(await word.evaluate((element) => getComputedStyle(element).animationDelay), "0.2s");
      await word.waitFor();
      asked.resolve();
      await word.waitFor({ state: "detached" });
    },
  ),
  journey(
    "LOOK-6 dialog: the focus starts at the heading, a button closes it, and the log view has no node tools",
    async (scene) => {
      const { feed, open, page } = scene;
      const run = await failedRun("dag");
      const labels = { "workflows.argoproj.io/phase": "Failed" };
      await feed.put([WORKFLOWS, { ...run, metadata: { name: "dag", namespace: NAMESPACE, labels } } as never]);
      for (const dialog of ["retry", "resubmit", "share"]) {
        await open(`${feed.url}workflows/data/dag?tab=logs&sidePanel=${dialog}`);
        await page.getByRole("dialog").waitFor();
        assertEquals(await page.evaluate("document.activeElement.id"), "dialog-title", dialog);
        await page.getByRole("button", { name: "Close", exact: true }).click();
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
      assertEquals(await page.getByRole("searchbox", { name: "Find a node" }).count(), 0);
      assertEquals(await page.getByRole("button", { name: "Critical path" }).count(), 0);
      await page.getByRole("tab", { name: "Tree" }).click();
      await page.getByRole("searchbox", { name: "Find a node" }).waitFor();
    },
  ),
  journey(
    "LOOK-7 graph: fits its frame until the user moves it, and the selected tab is in view",
    async (scene) => {
      const { feed, open, page } = scene;
      const run = await failedRun("dag");
      const labels = { "workflows.argoproj.io/phase": "Failed" };
      await feed.put([WORKFLOWS, { ...run, metadata: { name: "dag", namespace: NAMESPACE, labels } } as never]);
      await feed.put([WORKFLOW_TEMPLATES, {
        apiVersion: "argoproj.io/v1alpha1",
        kind: "WorkflowTemplate",
        metadata: { name: "etl", namespace: NAMESPACE },
        spec: { templates: [] },
      } as never]);
      await open(`${feed.url}workflows/data/dag?tab=graph`);
      await page.locator(".part").first().waitFor();
      await page.getByRole("button", { name: "Details" }).click();
      await awaitFact("the graph ends above its bar", () =>
        page.evaluate<boolean>(`(() => {
          const bottoms = [...document.querySelectorAll(".part")].map((one) => one.getBoundingClientRect().bottom);
          const details = document.querySelector(".run-details");
          return details !== null &&
            Math.max(...bottoms) <= document.querySelector(".graph-tools").getBoundingClientRect().top;
        })()`), { seconds: 20 });
      await page.setViewportSize({ width: NARROW.width, height: NARROW.height });
      await open(`${feed.url}workflow-templates/data/etl?tab=steps`);
      await awaitFact("the selected tab is in view", async () => {
        const tab = await page.locator(".tab[aria-current]").boundingBox();
        return tab !== null && tab.x >= 0 && tab.x + tab.width <= NARROW.width;
      }, { seconds: 20 });
    },
  ),
  journey("LOOK-8 schedule form: the next times are not cut off", async ({ feed, open, page }) => {
    await feed.put([CRON_WORKFLOWS, {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "CronWorkflow",
      metadata: { name: "nightly", namespace: NAMESPACE },
      spec: { schedules: ["30 2 * * *"], workflowSpec: { entrypoint: "main", templates: [] } },
    } as never]);
    for (const width of [NARROW.width, 1024]) {
      await page.setViewportSize({ width, height: NARROW.height });
      await open(`${feed.url}cron-workflows/data/nightly?tab=cron`);
      const [form, times] = await Promise.all(
        [page.locator(".manifest-form"), page.getByText(/^Next: /)].map((locator) => locator.boundingBox()),
      );
      assert(times!.x + times!.width <= form!.x + form!.width, `at ${width} pixels, the times leave the form`);
    }
  }),
];
