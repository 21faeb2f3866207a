/** Journeys on the graph of a run with filters: by phase, type and template, grouped, and with artifacts. */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { NodeStatus } from "@tiphys/model/api";
import { awaitQuery, NARROW, openPage } from "../browser.ts";
import type { Feed } from "../feed/feed.ts";
import { type Journey, journey } from "../journey.ts";
import { awaitFact } from "../../await_fact.ts";

const file = (name: string, key: string) => ({ name, s3: { key } });

/**
 * A run of a DAG: one artifact is produced once, loaded `loads` times and reported, and then the run waits for
 * approval.
 */
async function addLoadingRun(feed: Feed, name: string, loads = 3): Promise<void> {
  const node = (task: string, more: Partial<NodeStatus>): NodeStatus => ({
    id: `${name}-${task}`,
    name: `${name}.${task}`,
    displayName: task,
    type: "Pod",
    phase: "Succeeded",
    templateName: "load",
    boundaryID: name,
    startedAt: "2026-03-28T11:57:00Z",
    finishedAt: "2026-03-28T11:58:00Z",
    ...more,
  });
  const inputs = { artifacts: [file("table", "etl/rows.csv")] };
  const all = Array.from({ length: loads }, (_, index) => `load-${index}`);
  const nodes = [
    node("extract", {
      templateName: "extract",
      outputs: { artifacts: [file("rows", "etl/rows.csv")] },
      children: all.map((child) => `${name}-${child}`),
    }),
    ...all.map((child, index) =>
      node(child, { inputs, ...(index === 1 ? { phase: "Failed", message: "no such table" } : {}) })
    ),
    node("approve", { type: "Suspend", phase: "Running", templateName: "approve", finishedAt: undefined }),
  ];
  const whole = {
    ...node("", {}),
    id: name,
    name,
    displayName: name,
    type: "DAG",
    phase: "Running",
    boundaryID: undefined,
  };
  await feed.run(name, {
    status: { nodes: Object.fromEntries([whole, ...nodes].map((node) => [node.id, node])) },
  });
}

const labels = (page: Page) => page.locator(".part .label").allTextContents().then((all) => all.sort());

/** Waits until a graph shows exactly these parts. The chip appears before them. */
const shows = (page: Page, expected: readonly string[]) =>
  awaitFact(`the graph shows ${expected.join(", ")}`, async () => {
    assertEquals(await labels(page), expected);
    return true;
  }, { seconds: 20 });

export const GRAPH_SHAPE: readonly Journey[] = [
  journey(
    "UI-35 graph filter: parts are filtered by phase, type and template, as shown by a chip and in the URL",
    async (scene) => {
      const { feed, browser, open, page } = scene;
      await addLoadingRun(feed, "etl");
      await open(`${feed.url}workflows/data/etl?tab=graph`);
      await page.locator(".part").first().waitFor();
      assertEquals((await labels(page)).length, 5);
      await page.getByText("Parts", { exact: true }).click();
      await page.getByRole("group", { name: "Phases" }).getByLabel("Failed").check();
      await page.getByRole("link", { name: /Remove the filter phases/ }).waitFor();
      await shows(page, ["load-1"]);
      await page.getByRole("group", { name: "Phases" }).getByLabel("Suspended").check();
      await page.getByText("phases: Failed, Suspended").waitFor();
      await shows(page, ["approve", "load-1"]);
      await page.getByRole("group", { name: "Templates" }).getByLabel("load").check();
      await page.getByText("templates: load").waitFor();
      await shows(page, ["load-1"]);
      await awaitQuery(page, { phase: "Failed,Suspended", template: "load" });
      await page.goBack();
      await shows(page, ["approve", "load-1"]);
      const fresh = await openPage(browser);
      await fresh.open(`${feed.url}workflows/data/etl?tab=graph&type=Suspend`);
      await fresh.page.locator(".part").first().waitFor();
      await shows(fresh.page, ["approve"]);
      await fresh.page.getByRole("link", { name: "Remove the filter types: Suspend" }).click();
      await fresh.page.getByText("extract", { exact: true }).waitFor();
      await fresh.open(`${feed.url}workflows/data/etl?tab=graph&type=HTTP`);
      await fresh.page.getByText("No part matches.").waitFor();
      // If no part matches, the menu stays open to change the filter.
      await fresh.page.getByText("Parts", { exact: true }).click();
      await fresh.page.getByRole("group", { name: "Types" }).getByLabel("Suspend").check();
      await shows(fresh.page, ["approve"]);
      await fresh.page.getByRole("group", { name: "Types" }).getByLabel("Suspend").uncheck();
      await fresh.page.getByText("No part matches.").waitFor();
      await fresh.page.getByRole("button", { name: "Show all" }).click();
      await fresh.page.locator(".part", { hasText: "extract" }).waitFor();
      await fresh.context.close();
    },
  ),
  journey(
    "UI-35 graph filter: applies to graph, timeline and tree, with one URL",
    async ({ feed, browser, open, page }) => {
      await addLoadingRun(feed, "etl");
      const rows = (page: Page, expected: readonly string[]) =>
        awaitFact(`the rows are ${expected.join(", ")}`, async () => {
          assertEquals(await page.locator(".node-row .node-label").allTextContents(), expected);
          return true;
        }, { seconds: 20 });
      await open(`${feed.url}workflows/data/etl?tab=tree`);
      await rows(page, ["etl", "approve", "extract", "load-0", "load-1", "load-2"]);
      await page.getByRole("searchbox", { name: "Find a node" }).fill("load");
      await page.getByRole("button", { name: "Only found" }).click();
      await rows(page, ["etl", "load-0", "load-1", "load-2"]);
      await page.getByText("Parts", { exact: true }).click();
      assertEquals(await page.getByLabel("One part for each template").count(), 0);
      await page.getByRole("group", { name: "Phases" }).getByLabel("Failed").check();
      await rows(page, ["etl", "load-1"]);
      const { searchParams } = new URL(page.url());
      assertEquals(["find", "only", "phase"].map((name) => searchParams.get(name)), ["load", "found", "Failed"]);
      await page.keyboard.press("Escape");
      await page.getByRole("tab", { name: "Timeline" }).click();
      await page.locator(".rows.timeline").waitFor();
      await rows(page, ["etl", "load-1"]);
      await page.getByRole("tab", { name: "Graph" }).click();
      await shows(page, ["load-1"]);
      const fresh = await openPage(browser, NARROW);
      await fresh.open(page.url().replace("tab=graph", "tab=timeline"));
      await rows(fresh.page, ["etl", "load-1"]);
      await fresh.page.getByRole("link", { name: "Remove the filter text: load" }).click();
      await rows(fresh.page, ["etl", "load-1"]);
      await fresh.page.getByRole("link", { name: "Remove the filter phases: Failed" }).click();
      await rows(fresh.page, ["etl", "approve", "extract", "load-0", "load-1", "load-2"]);
      assertEquals(await fresh.faults(), []);
      await fresh.context.close();
      await open(page.url().replace("phase=Failed", "phase=Error").replace("tab=graph", "tab=tree"));
      await page.getByText("No part matches.").waitFor();
    },
  ),
  journey(
    "UI-35 graph: parts of one template are grouped into one part, which can be expanded",
    async ({ feed, open, page }) => {
      await addLoadingRun(feed, "etl", 40);
      await open(`${feed.url}workflows/data/etl?tab=graph&group=template`);
      await page.locator(".part").first().waitFor();
      await shows(page, ["approve", "extract", "load ×40"]);
      await page.locator('[data-fold^="×load"]').click();
      await page.locator('.graph-frame[aria-label^="Graph, 43 parts"]').waitFor();
      await page.goBack();
      await page.getByText("Parts", { exact: true }).click();
      await page.getByLabel("One part for each template").uncheck();
      await page.locator('.graph-frame[aria-label^="Graph, 42 parts"]').waitFor();
      await awaitQuery(page, { group: null });
    },
  ),
  journey(
    "UI-27 graph: shows artifacts between their producers and consumers, and opens them",
    async (scene) => {
      const { feed, open, page, expectStatus } = scene;
      await addLoadingRun(feed, "etl");
      expectStatus(400, 404, 500, 501);
      await open(`${feed.url}workflows/data/etl?tab=graph`);
      await page.locator(".part").first().waitFor();
      const before = await page.locator(".edge").count();
      await page.getByText("Parts", { exact: true }).click();
      await page.getByLabel("Artifacts", { exact: true }).check();
      await page.locator(".part.artifact").waitFor();
      assertEquals(await page.locator(".part.artifact").getAttribute("aria-label"), "rows, artifact");
      assertEquals(await page.locator(".edge").count(), before + 1);
      await awaitQuery(page, { artifacts: "shown" });
      await page.keyboard.press("Escape");
      await page.locator(".part.artifact").click();
      await page.getByRole("dialog").getByRole("heading", { name: "rows" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
  ),
  journey("UI-85 small screen: graph filters also work in dark mode", async ({ feed, open, page }) => {
    await addLoadingRun(feed, "etl");
    await open(`${feed.url}workflows/data/etl?tab=graph&artifacts=shown&phase=Failed`);
    await page.getByText("Parts", { exact: true }).click();
    await page.getByRole("group", { name: "Phases" }).getByLabel("Succeeded").check();
    await page.getByText("phases: Failed, Succeeded").waitFor();
    await page.locator('.graph-frame[aria-label^="Graph, 5 parts"]').waitFor();
  }, { look: { ...NARROW, theme: "dark" } }),
  journey("UI-32 graph filter: for 2,000 nodes, the filter runs in a worker", async ({ feed, open, page }) => {
    await addLoadingRun(feed, "large", 2000);
    await open(`${feed.url}workflows/data/large?tab=graph&phase=Failed&artifacts=shown`);
    await page.locator(".part.artifact").waitFor();
    await shows(page, ["load-1", "table"]);
    await page.getByRole("link", { name: /Remove the filter phases/ }).click();
    await page.locator('.graph-frame[aria-label^="Graph, 2,003 parts"]').waitFor();
  }),
];
