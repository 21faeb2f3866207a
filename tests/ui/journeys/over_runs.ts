/** Journeys over several runs: one beside another, reports, and what makes runs from events. */
import { assert, assertEquals } from "@std/assert";
import type { NodeStatus } from "../../../lib/api/mod.ts";
import type { KubeObject, Resource } from "../../../lib/kube/mod.ts";
import { type Feed, NAMESPACE } from "../feed/feed.ts";
import { type Journey, journey } from "../journey.ts";

const BINDINGS: Resource = {
  group: "argoproj.io",
  version: "v1alpha1",
  plural: "workfloweventbindings",
  kind: "WorkflowEventBinding",
  namespaced: true,
};

const BINDING = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "WorkflowEventBinding",
  metadata: { name: "on-push", namespace: NAMESPACE },
  spec: {
    event: { selector: 'payload.kind == "push"' },
    submit: { workflowTemplateRef: { name: "build" } },
  },
} as KubeObject;

const minute = (at: number) => new Date(Date.UTC(2026, 2, 1, 0, at)).toISOString().replace(".000", "");

/** A run over two nodes that lasts so many minutes. */
async function worked(feed: Feed, name: string, at: number, { phase, took, rows }: {
  readonly phase: "Succeeded" | "Failed";
  readonly took: number;
  readonly rows: string;
}): Promise<void> {
  const node = (task: string, from: number, to: number, more: Partial<NodeStatus>): NodeStatus => ({
    id: `${name}-${task}`,
    name: `${name}.${task}`,
    displayName: task,
    type: "Pod",
    phase: "Succeeded",
    startedAt: minute(from),
    finishedAt: minute(to),
    ...more,
  });
  const nodes = [
    node("extract", at, at + took, { outputs: { parameters: [{ name: "rows", value: rows }] } }),
    node("load", at + took, at + took, { phase }),
  ];
  const resourcesDuration = { cpu: took * 60, memory: took * 600 };
  await feed.run(name, {
    phase,
    startedAt: minute(at),
    labels: { "workflows.argoproj.io/workflow-template": "etl", team: "a" },
    status: {
      finishedAt: minute(at + took),
      resourcesDuration,
      nodes: Object.fromEntries(nodes.map((one) => [one.id, one])),
    },
  });
}

export const OVER_RUNS: readonly Journey[] = [
  journey(
    "UI-55 a run beside the last success: the new failure stands on top, then what took longer",
    async (scene) => {
      const { feed, open, page } = scene;
      await worked(feed, "etl-1", 0, { phase: "Succeeded", took: 2, rows: "100" });
      await worked(feed, "etl-2", 10, { phase: "Failed", took: 3, rows: "0" });
      await worked(feed, "etl-3", 20, { phase: "Failed", took: 5, rows: "100" });
      await open(`${feed.url}workflows/data/etl-3?tab=compare`);
      await page.getByText("3m longer than etl-1.").waitFor();
      const rows = page.locator(".compare-nodes tbody tr");
      assertEquals((await rows.locator("td.name").allInnerTexts()).map((text) => text.trim()), ["load", "extract"]);
      await page.getByLabel("Compared with").selectOption({ index: 0 });
      await page.getByText("2m longer than etl-2.").waitFor();
      assert(new URL(page.url()).searchParams.has("with"));
      await page.getByText("rows: 0 → 100").waitFor();
      // One that is resubmitted is compared with its original, though nothing else tells that they belong together.
      const labels = { "workflows.argoproj.io/resubmitted-from-workflow": "etl-3" };
      await feed.run("again-7", { startedAt: "2026-03-02T00:00:00Z", labels });
      await open(`${feed.url}workflows/data/again-7?tab=compare`);
      await page.getByRole("option", { name: /etl-3.*the original/ }).waitFor({ state: "attached" });
      await open(`${feed.url}workflows/data/etl-3?tab=compare`);
      await page.getByLabel("Compared with").selectOption({ index: 0 });
      await page.getByRole("link", { name: "extract", exact: true }).click();
      await page.locator(".node-panel").getByRole("heading", { name: "extract" }).waitFor();
    },
  ),
  journey("UI-76 a report of labels is bars and a table, and a bar leads to its run", async ({ feed, open, page }) => {
    await worked(feed, "etl-1", 0, { phase: "Succeeded", took: 2, rows: "1" });
    await worked(feed, "etl-2", 10, { phase: "Failed", took: 4, rows: "1" });
    await feed.run("web-1", { phase: "Succeeded" });
    await open(`${feed.url}reports/data?labels=team=a`);
    await page.getByText("1 (50 %)").waitFor();
    await page.getByText("mean 3m").waitFor();
    assertEquals(await page.locator(".report-rows tbody tr").count(), 2);
    const [csv] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
    const lines = (await Deno.readTextFile(await csv.path())).trim().split("\r\n");
    assertEquals(lines.map((line) => line.split(",").slice(1, 3).join()), [
      "name,phase",
      "etl-1,Succeeded",
      "etl-2,Failed",
    ]);
    await page.getByRole("link", { name: "etl-2, Failed, 4m" }).click();
    await page.getByRole("heading", { name: "etl-2", exact: true }).waitFor();
    await page.goBack();
    await page.getByText("mean 3m").waitFor();
  }),
  journey("UI-75 a binding says which events it waits for, and leads to its template and its runs", async (scene) => {
    const { feed, open, page } = scene;
    await feed.put([BINDINGS, BINDING]);
    await feed.run("build-1", { labels: { "workflows.argoproj.io/workflow-event-binding": "on-push" } });
    await feed.run("other-1");
    await open(`${feed.url}workflow-event-bindings/data`);
    await page.getByText('payload.kind == "push"').waitFor();
    const template = page.getByRole("link", { name: "submits build" });
    assertEquals(await template.getAttribute("href"), `${feed.url}workflow-templates/data/build`);
    await page.getByRole("link", { name: "on-push" }).click();
    await page.getByText("workflowTemplateRef").waitFor();
    await page.getByRole("link", { name: "Its runs" }).click();
    await page.getByRole("link", { name: "build-1", exact: true }).waitFor();
    assertEquals(await page.getByRole("link", { name: "other-1", exact: true }).count(), 0);
    await open(`${feed.url}workflow-event-bindings/data?selectedWorkflowEventBinding=data/on-push`);
    await page.getByText("workflowTemplateRef").waitFor();
    // In the list of all namespaces it is that list which is there when a binding is closed.
    await open(`${feed.url}workflow-event-bindings`);
    await page.getByRole("link", { name: "on-push" }).click();
    await page.getByText("workflowTemplateRef").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("columnheader", { name: "Namespace" }).waitFor();
  }),
  journey("UI-75 without Argo Events the page says so, and what a sensor would do", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    expectStatus(404);
    await open(`${feed.url}sensors/data`);
    await page.getByRole("heading", { name: "Argo Events is not installed here" }).waitFor();
    await page.getByText("A sensor of Argo Events acts").waitFor();
  }),
  journey("UI-77 a frame of a foreign page shows nothing of this one", async (scene) => {
    const { feed, open, page, context } = scene;
    await feed.run("etl-1");
    const foreign = await context.newPage();
    const refusals: string[] = [];
    foreign.on("console", (message) => refusals.push(message.text()));
    await foreign.route(
      "http://elsewhere.test/",
      (route) => route.fulfill({ contentType: "text/html", body: `<iframe src="${feed.url}workflows/data"></iframe>` }),
    );
    await foreign.goto("http://elsewhere.test/");
    await foreign.waitForLoadState("networkidle");
    assertEquals(await foreign.frameLocator("iframe").locator("tr[data-run]").count(), 0);
    await foreign.close();
    await open(`${feed.url}workflows/data`);
    await page.getByRole("link", { name: "etl-1", exact: true }).waitFor();
  }),
];
