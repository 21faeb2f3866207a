/** Journeys on several runs: comparison, reports, and runs from events. */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { NodeStatus } from "@tiphys/model/api";
import { CUSTOM_RESOURCE_DEFINITIONS, type KubeObject, type Resource } from "@tiphys/kube";
import { EVENT_KINDS } from "../../../server/argo_events/kinds.ts";
import { awaitQuery, chooseIn, NARROW, openPage } from "../browser.ts";
import { awaitFact } from "../../await_fact.ts";
import { type Feed, NAMESPACE } from "../feed/feed.ts";
import { type Journey, journey, type Scene } from "../journey.ts";

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

const SOURCE = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "EventSource",
  metadata: { name: "github", namespace: NAMESPACE },
  spec: { webhook: { push: { port: "12000" } } },
} as KubeObject;

const SENSOR = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Sensor",
  metadata: { name: "ci", namespace: NAMESPACE },
  spec: {
    dependencies: [{ name: "pushed", eventSourceName: "github", eventName: "push" }],
    triggers: [{
      template: {
        name: "build",
        conditions: "pushed",
        argoWorkflow: { source: { resource: { spec: { workflowTemplateRef: { name: "etl" } } } } },
      },
    }],
  },
} as KubeObject;

/** Creates the CRDs of Argo Events. */
export async function createEventCrds(feed: Feed): Promise<void> {
  for (const { resource: { group, plural, kind } } of EVENT_KINDS) {
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    await feed.put([CUSTOM_RESOURCE_DEFINITIONS, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
        versions: [{ name: "v1alpha1", served: true, storage: true, schema }],
      },
    }]);
  }
}

/**
 * Replaces the logs of event sources and sensors, which have no pods here. The streams stay open, and send the entries
 * of the test.
 */
class EventLogs {
  readonly #open = new Map<string, Set<ReadableStreamDefaultController<Uint8Array>>>();

  /** A response with a stream for a log path; undefined for any other path. */
  answer(path: string): Response | undefined {
    const [, list] = /\/stream\/(event-sources|sensors)\/[^/]+\/logs$/.exec(path) ?? [];
    if (list === undefined) return undefined;
    const all = this.#open.get(list) ?? new Set();
    this.#open.set(list, all);
    let own: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        own = controller;
        all.add(controller);
        controller.enqueue(new TextEncoder().encode(":\n\n"));
      },
      cancel: () => void all.delete(own),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  /** Sends an entry to all readers, once there are `readers` of them. */
  async tell(list: string, entry: Readonly<Record<string, string>>, readers = 1): Promise<void> {
    const isRead = () => (this.#open.get(list)?.size ?? 0) >= readers;
    await awaitFact(`the logs of ${list} are read by ${readers}`, () => Promise.resolve(isRead()), { seconds: 30 });
    const result = { namespace: NAMESPACE, level: "info", time: "2026-03-28T12:00:00Z", ...entry };
    const bytes = new TextEncoder().encode(`data: ${JSON.stringify({ result })}\n\n`);
    for (const controller of this.#open.get(list) ?? []) controller.enqueue(bytes);
  }
}

/** Opens a page of another origin that has one of our pages in a frame, in a new browser profile. */
async function withFrame(
  { feed, browser }: Pick<Scene, "feed" | "browser">,
  path: string,
  look: (page: Page, refused: Promise<void>) => Promise<void>,
) {
  const frame = `<iframe src="${feed.url}${path}" title="ours" width="900" height="500"></iframe>`;
  await using elsewhere = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response(`<!doctype html><title>Elsewhere</title>${frame}`, { headers: { "content-type": "text/html" } }),
  );
  const context = await browser.newContext({ reducedMotion: "reduce" });
  try {
    const foreign = await context.newPage();
    const refused = new Promise<void>((resolve) =>
      foreign.on("console", (message) => /violates.*frame-ancestors 'none'/.test(message.text()) && resolve())
    );
    await foreign.goto(`http://localhost:${elsewhere.addr.port}/`);
    await look(foreign, refused);
  } finally {
    await context.close();
  }
}

/** Asserts that the browser has refused to show the page in the frame. */
async function assertRefused(foreign: Page, refused: Promise<void>): Promise<void> {
  await refused;
  assertEquals(await foreign.frameLocator("iframe").locator("#page").count(), 0);
}

const minute = (minutes: number) => new Date(Date.UTC(2026, 2, 1, 0, minutes)).toISOString().replace(".000", "");

/** Creates a run of two nodes that takes `took` minutes. */
async function addCompletedRun(feed: Feed, name: string, index: number, { phase, took, rows }: {
  readonly phase: "Succeeded" | "Failed";
  readonly took: number;
  readonly rows: string;
}): Promise<void> {
  const resourcesDuration = { cpu: took * 60, memory: took * 600 };
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
    node("extract", index, index + took, {
      templateName: "extract",
      resourcesDuration,
      outputs: { parameters: [{ name: "rows", value: rows }] },
    }),
    node("load", index + took, index + took, { phase }),
  ];
  await feed.run(name, {
    phase,
    startedAt: minute(index),
    labels: { "workflows.argoproj.io/workflow-template": "etl", team: "a" },
    status: {
      finishedAt: minute(index + took),
      resourcesDuration,
      nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    },
  });
}

export const OVER_RUNS: readonly Journey[] = [
  journey(
    "UI-55 compare: a run is compared with the last success; new failures are first, then nodes that took longer",
    async (scene) => {
      const { feed, open, page } = scene;
      await addCompletedRun(feed, "etl-1", 0, { phase: "Succeeded", took: 2, rows: "100" });
      await addCompletedRun(feed, "etl-2", 10, { phase: "Failed", took: 3, rows: "0" });
      await addCompletedRun(feed, "etl-3", 20, { phase: "Failed", took: 5, rows: "100" });
      await open(`${feed.url}workflows/data/etl-3?tab=compare`);
      await page.getByText("3m longer than etl-1.").waitFor();
      const rows = page.locator(".compare-nodes tbody tr");
      assertEquals((await rows.locator("td.name").allInnerTexts()).map((text) => text.trim()), ["load", "extract"]);
      await page.getByLabel("Compared with").selectOption({ index: 0 });
      await page.getByText("2m longer than etl-2.").waitFor();
      await page.waitForURL(({ searchParams }) => searchParams.has("with"));
      await page.getByText("rows: 0 → 100").waitFor();
      // A resubmitted run is compared with its original, which only its label names.
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
  journey(
    "UI-55 compare: the graph marks by color and symbol what is the same, changed, or only in one run",
    async ({ feed, browser, open, page }) => {
      const template = (tasks: readonly string[]) => ({
        name: "main",
        dag: { tasks: tasks.map((name) => ({ name, template: "work" })) },
      });
      const make = async (name: string, index: number, tasks: Readonly<Record<string, Partial<NodeStatus>>>) => {
        const node = (path: string, more: Partial<NodeStatus>): NodeStatus => ({
          id: `${name}-${path}`,
          name: `${name}.${path}`,
          displayName: path,
          type: "Pod",
          phase: "Succeeded",
          boundaryID: name,
          templateName: "work",
          startedAt: minute(index),
          finishedAt: minute(index + 1),
          ...more,
        });
        const root = {
          ...node("", {}),
          id: name,
          name,
          displayName: name,
          type: "DAG" as const,
          boundaryID: undefined,
        };
        const nodes = [root, ...Object.entries(tasks).map(([path, more]) => node(path, more))];
        await feed.run(name, {
          phase: "Failed",
          startedAt: minute(index),
          labels: { "workflows.argoproj.io/workflow-template": "etl" },
          status: {
            nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
            storedWorkflowTemplateSpec: {
              entrypoint: "main",
              templates: [template(Object.keys(tasks)), { name: "work" }],
            },
          },
        });
      };
      await make("etl-1", 0, { extract: {}, load: {}, old: {} });
      await make("etl-2", 10, { extract: {}, load: { phase: "Failed", message: "no such table" }, fresh: {} });
      await open(`${feed.url}workflows/data/etl-2?tab=compare`);
      const part = (name: string) => page.locator(`.compare-graph .part[aria-label^="${name},"]`);
      await part("extract").waitFor();
      const said = async (name: string) => (await part(name).locator(".sub").textContent())!;
      assertEquals(await said("extract"), "= same");
      assert((await said("load")).startsWith("≠ now Failed"), await said("load"));
      assert((await said("fresh")).startsWith("+ only here"), await said("fresh"));
      assert((await said("old")).startsWith("− not here"), await said("old"));
      const legend = page.getByRole("list", { name: "Colors and symbols of the graph" });
      assertEquals(
        (await legend.innerText()).replace(/\s+/g, " "),
        "= the same 1 ≠ changed 1 − only in etl-1 1 + only in etl-2 1",
      );
      await page.locator(".compare-nodes").getByText("load").waitFor();
      await part("old").click();
      await part("load").click();
      await page.locator(".node-panel").getByText("no such table").first().waitFor();
      const fresh = await openPage(browser, { ...NARROW, theme: "dark" });
      await fresh.open(page.url());
      await fresh.page.locator(".compare-graph .part").first().waitFor();
      assertEquals(await fresh.faults(), []);
      await fresh.context.close();
    },
  ),
  journey(
    "UI-76 report: a report by labels has bars and a table, and a bar links to its run",
    async ({ feed, open, page }) => {
      await addCompletedRun(feed, "etl-1", 0, { phase: "Succeeded", took: 2, rows: "1" });
      await addCompletedRun(feed, "etl-2", 10, { phase: "Failed", took: 4, rows: "1" });
      await feed.run("web-1", { phase: "Succeeded" });
      await open(`${feed.url}reports/data?labels=team=a`);
      await page.getByText("1 (50 %)").waitFor();
      await page.getByText("mean 3m").waitFor();
      assertEquals(await page.locator(".report-rows tbody tr").count(), 2);
      const [csv] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "CSV" }).click(),
      ]);
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
    },
  ),
  journey("UI-75 event binding: shows the events it waits for, and links to its template and runs", async (scene) => {
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
    await page.getByRole("link", { name: "Show runs" }).click();
    await page.getByRole("link", { name: "build-1", exact: true }).waitFor();
    assertEquals(await page.getByRole("link", { name: "other-1", exact: true }).count(), 0);
    await open(`${feed.url}workflow-event-bindings/data?selectedWorkflowEventBinding=data/on-push`);
    await page.getByText("workflowTemplateRef").waitFor();
    // Closing a binding in the list of all namespaces returns to that list.
    await open(`${feed.url}workflow-event-bindings`);
    await page.getByRole("link", { name: "on-push" }).click();
    await page.getByText("workflowTemplateRef").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("columnheader", { name: "Namespace" }).waitFor();
  }),
  journey("UI-75 Argo Events: if it is not installed, the page reports that and describes sensors", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    expectStatus(404);
    await open(`${feed.url}sensors/data`);
    await page.getByRole("heading", { name: "Argo Events is not installed here" }).waitFor();
    await page.getByText("A sensor of Argo Events acts").waitFor();
  }),
  journey(
    "UI-77 frames: pages and widgets are not shown in frames of other origins by default",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.run("etl-1");
      for (const path of ["workflows/data", "widgets/workflow-status-badges/data?name=etl-1"]) {
        await withFrame(scene, path, assertRefused);
      }
      await open(`${feed.url}workflows/data`);
      await page.getByRole("link", { name: "etl-1", exact: true }).waitFor();
    },
  ),
  journey(
    "UI-77 frames: in a frame of an allowed origin, widgets show the newest run live, and open it outside the frame",
    async (scene) => {
      const { feed, open, page } = scene;
      await addCompletedRun(feed, "etl-1", 0, { phase: "Succeeded", took: 2, rows: "1" });
      await withFrame(scene, "widgets/workflow-status-badges/data?label=team=a", async (foreign) => {
        const badge = foreign.frameLocator("iframe").getByRole("link");
        await badge.filter({ hasText: "Succeeded" }).filter({ hasText: "etl-1" }).waitFor();
        await addCompletedRun(feed, "etl-2", 10, { phase: "Failed", took: 4, rows: "1" });
        await badge.filter({ hasText: "Failed" }).filter({ hasText: "etl-2" }).waitFor();
      });
      // Other pages are still refused.
      await withFrame(scene, "workflows/data", assertRefused);
      // The page that a widget opens within the frame is allowed.
      await withFrame(
        scene,
        "widgets/workflow-status-badges/data?name=etl-2&target=_self",
        async (foreign, refused) => {
          await foreign.frameLocator("iframe").getByRole("link").click();
          await assertRefused(foreign, refused);
        },
      );
      await withFrame(scene, "widgets/workflow-graphs/data?name=etl-2&nodeSize=32", async (foreign) => {
        const frame = foreign.frameLocator("iframe");
        await frame.locator("[data-key='etl-2.load']").waitFor();
        assertEquals(await frame.locator(".graph-tools").count(), 0);
        await frame.locator("[data-key='etl-2.load']").click();
        await foreign.waitForURL(/\/workflows\/data\/etl-2\?uid=.*nodeId=etl-2-load/);
        await foreign.locator(".node-panel").getByRole("heading", { name: "load" }).waitFor();
      });
      await open(`${feed.url}widgets/workflow-graphs/data?name=etl-2&showOptions=true`);
      await page.getByRole("button", { name: "Fit" }).waitFor();
      await page.locator(".graph-frame[data-drawn]").waitFor();
    },
    { widgetAncestors: ["http://localhost:*"] },
  ),
  journey(
    "UI-75 event flow: an event highlights its step and adds its run, and its trigger opens with the log",
    async (scene) => {
      const { feed, open, page } = scene;
      await createEventCrds(feed);
      const [sources, sensors] = EVENT_KINDS.map(({ resource }) => resource);
      await feed.put([sources!, SOURCE], [sensors!, SENSOR], [BINDINGS, BINDING]);
      const entries = new EventLogs();
      feed.fault = ({ path }) => entries.answer(path);
      await open(`${feed.url}event-flow/data`);
      const flow = page.getByRole("region", { name: "Event flow" });
      for (
        const name of ["event push webhook of github", "ci sensor", "pushed condition", "trigger build submits etl"]
      ) {
        await flow.getByRole("link", { name }).waitFor();
      }
      await flow.getByRole("link", { name: "binding on-push submits build" }).waitFor();
      assertEquals(await flow.locator(".edge.lit").count(), 0);
      await entries.tell("event-sources", { eventSourceName: "github", eventName: "push", msg: "got one" });
      await flow.locator(".edge.lit").waitFor({ state: "attached" });
      await entries.tell("sensors", { sensorName: "ci", triggerName: "build", msg: "trigger processed" });
      await flow.locator(".edge.lit").nth(2).waitFor({ state: "attached" });
      const labels = { "events.argoproj.io/sensor": "ci", "events.argoproj.io/trigger": "build" };
      await feed.run("build-7", { labels });
      await flow.getByRole("link", { name: "run build-7 Running" }).waitFor();
      await flow.getByRole("link", { name: "trigger build submits etl" }).click();
      await page.getByRole("dialog").getByText("workflowTemplateRef").waitFor();
      // Until its stream is open, the dialog does not know whether there are entries.
      const held = Promise.withResolvers<void>();
      await page.route(/stream\/sensors\/.*logs/, async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.getByRole("dialog").getByRole("link", { name: "Logs" }).click();
      await page.getByRole("dialog").getByText("Reading the log …").waitFor();
      held.resolve();
      await page.getByRole("dialog").getByText("No log lines yet.").waitFor();
      // The flow and the dialog both read the entries.
      await entries.tell("sensors", { sensorName: "ci", triggerName: "build", msg: "trigger processed" }, 2);
      await page.getByRole("dialog").getByText("trigger processed").waitFor();
      const heldEvents = Promise.withResolvers<void>();
      feed.fault = ({ path }) => path.startsWith("/api/v1/stream/events/") ? heldEvents.promise : entries.answer(path);
      await page.getByRole("dialog").getByRole("link", { name: "Events" }).click();
      await page.getByRole("dialog").getByText("Reading the events …").waitFor();
      heldEvents.resolve();
      await page.getByRole("dialog").getByText("No events.").waitFor();
      await page.getByRole("dialog").getByRole("link", { name: "Logs" }).click();
      await awaitQuery(page, { selectedNode: "data/Trigger/ci/build" });
      await page.reload();
      await page.getByRole("dialog").getByRole("link", { name: "Logs" }).waitFor();
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "Runs", exact: true }).click();
      await flow.getByRole("link", { name: "run build-7 Running" }).waitFor({ state: "detached" });
      await page.goBack();
      await flow.getByRole("link", { name: "run build-7 Running" }).waitFor();
    },
  ),
  journey(
    "UI-76 report: the step grid lists the slowest step first, and a cell links to its node",
    async (scene) => {
      const { feed, open, page } = scene;
      await addCompletedRun(feed, "etl-1", 0, { phase: "Failed", took: 2, rows: "1" });
      await addCompletedRun(feed, "etl-2", 10, { phase: "Succeeded", took: 4, rows: "1" });
      await open(`${feed.url}reports/data?labels=team=a`);
      await page.getByRole("link", { name: "Steps" }).click();
      const rows = page.getByRole("rowheader");
      await rows.first().waitFor();
      assertEquals(await rows.allInnerTexts(), ["extract", "load"]);
      await page.getByLabel("Order of steps").selectOption({ label: "Flaky first" });
      await page.getByRole("rowheader", { name: "load" }).waitFor();
      assertEquals(await rows.allInnerTexts(), ["load", "extract"]);
      await awaitQuery(page, { steps: "flaky" });
      // By keyboard: the focus starts at the newest run. Its steps are below it, and those of the previous run to the
      // left.
      await page.locator('.step-grid [tabindex="0"]').focus();
      for (const key of ["ArrowDown", "ArrowLeft"]) await page.keyboard.press(key);
      await page.locator(':focus[aria-label="load in etl-1: failed, 0s"]').waitFor();
      await page.keyboard.press("Enter");
      await page.locator(".node-panel").getByRole("heading", { name: "load" }).waitFor();
      await page.goBack();
      await rows.first().waitFor();
    },
  ),
  journey(
    "UI-76 cost: with prices, a run, its templates, its nodes and the report have a cost",
    async ({ feed, open, page }) => {
      await addCompletedRun(feed, "etl-1", 0, { phase: "Succeeded", took: 60, rows: "1" });
      await open(`${feed.url}reports/data?labels=team=a`);
      await page.getByRole("columnheader", { name: "Cost" }).waitFor();
      assertEquals(await page.locator(".report-rows tbody td:last-child").allInnerTexts(), ["€1.98"]);
      await open(`${feed.url}workflows/data/etl-1?tab=tree&nodeId=etl-1-extract`);
      await page.locator(".node-panel").getByText("€1.98").waitFor();
      await chooseIn(page, "View", "Cost");
      const table = page.getByRole("region", { name: "Cost" });
      assertEquals(await table.locator("tbody td").first().innerText(), "extract");
      await table.getByRole("row", { name: /Total/ }).getByText("€1.98").waitFor();
      await awaitQuery(page, { show: "cost" });
      // The advice is below. A dismissed item stays dismissed after a reload, and the others remain.
      const advice = page.getByRole("region", { name: "Advice" });
      await advice.getByRole("button", { name: /^Dismiss: No time limit/ }).click();
      await page.reload();
      await advice.getByText("Its pods stay").waitFor();
      assertEquals(await advice.getByText("No time limit").count(), 0);
      await advice.getByRole("button", { name: "Show 1 dismissed" }).click();
      await advice.getByText("No time limit").waitFor();
    },
    { info: { prices: { currency: "EUR", perHour: { cpu: 1, memory: 1 } } } },
  ),
];
