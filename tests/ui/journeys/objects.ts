/** Journeys on templates, schedules and sensors: their graphs, bookmarks of their parts, lists and undo. */
import { assert, assertEquals } from "@std/assert";
import type { CronWorkflow, WorkflowTemplate } from "@tiphys/model/api";
import { CLUSTER_WORKFLOW_TEMPLATES, CRON_WORKFLOWS, type KubeObject, WORKFLOW_TEMPLATES } from "@tiphys/kube";
import { parseYaml } from "@tiphys/model/yaml";
import { awaitQuery, chooseIn, NARROW } from "../browser.ts";
import { editedText } from "../edited_text.ts";
import { NAMESPACE } from "../feed/feed.ts";
import { awaitFact } from "../../await_fact.ts";
import { EVENT_KINDS } from "../../../server/argo_events/kinds.ts";
import { createEventCrds } from "./over_runs.ts";
import { type Journey, journey } from "../journey.ts";

function object(source: string): KubeObject {
  const read = parseYaml(source)[0]?.value as unknown as KubeObject;
  return { apiVersion: "argoproj.io/v1alpha1", ...read };
}

export const ETL = object(`
kind: WorkflowTemplate
metadata: { name: etl, namespace: ${NAMESPACE} }
spec:
  entrypoint: main
  onExit: tidy
  templates:
  - name: main
    dag:
      tasks:
      - { name: extract, template: work }
      - { name: load, template: per-region, depends: extract, withParam: "{{tasks.extract.outputs.result}}" }
      - { name: check, templateRef: { name: shared, template: verify }, depends: load }
      - { name: tell, templateRef: { name: missing, template: mail }, depends: check }
  - name: per-region
    inputs: { parameters: [{ name: region, value: eu }] }
    steps:
    - - { name: copy, template: work }
    - - { name: index, template: work, withItems: [a, b, c], hooks: { exit: { template: tidy } } }
  - name: work
    retryStrategy: { limit: 2 }
    container: { image: "alpine:3.22", command: [sh, -c], args: ["echo work"] }
  - name: tidy
    script: { image: "alpine:3.22", command: [sh], source: "rm -rf /tmp/x" }
`);

export const SHARED = object(`
kind: WorkflowTemplate
metadata: { name: shared, namespace: ${NAMESPACE} }
spec:
  templates:
  - { name: verify, steps: [[{ name: count, template: sum }]] }
  - { name: sum, container: { image: "busybox:1.37" } }
`);

export const NIGHTLY = object(`
kind: CronWorkflow
metadata: { name: nightly, namespace: ${NAMESPACE} }
spec:
  schedules: ["30 2 * * *"]
  timezone: Europe/Berlin
  workflowSpec: { workflowTemplateRef: { name: etl } }
`);

const WIDE_SCOPE = object(`
kind: ClusterWorkflowTemplate
metadata: { name: everywhere }
spec:
  templates:
  - { name: a, steps: [[{ name: again, template: a }], [{ name: shared, templateRef: { name: shared, template: verify } }]] }
`);

export const OBJECTS: readonly Journey[] = [
  journey(
    "UI-38 template graph: shows what the template calls, also in other objects, with the line of each call",
    async (scene) => {
      const { feed, open, page, expectStatus } = scene;
      expectStatus(404);
      await feed.put([WORKFLOW_TEMPLATES, ETL], [WORKFLOW_TEMPLATES, SHARED]);
      await open(`${feed.url}workflow-templates/data/etl`);
      await page.getByRole("link", { name: "Graph", exact: true }).click();
      const part = (name: string) => page.getByRole("img", { name });
      await part("extract, work · container").waitFor();
      await part("load ×?, steps, 3 parts").waitFor();
      await part("index, work · container, 3 items").waitFor();
      // A template of another object, and a reference to an unreadable one.
      await part("count, sum · container").waitFor();
      await page.getByText("References that are not drawn: missing (").waitFor();
      await page.getByRole("searchbox", { name: "Find in the graph" }).fill("index");
      await page.keyboard.press("Enter");
      const panel = page.getByRole("complementary", { name: "index in the manifest" });
      await panel.getByText("alpine:3.22").waitFor();
      await panel.getByText("up to 2").waitFor();
      await awaitQuery(page, { tab: "graph", find: "index", node: "etl.load[1].index" });
      // The URL restores the state, and the panel links to the line.
      await page.reload();
      const line = await panel.getByRole("link", { name: /^Template, line/ }).innerText();
      await panel.getByRole("link", { name: /^Template, line/ }).click();
      assertEquals(await page.locator(".cm-lineNumbers .cm-activeLineGutter").innerText(), /\d+/.exec(line)?.[0]);
      const shown = await page.locator(".cm-activeLine").innerText();
      assert(/^\s*-? ?(container|name: work|retryStrategy)/.test(shown), shown);
    },
  ),
  journey("UI-38 template graph: follows the text next to it, and links to its lines", async (scene) => {
    const { feed, open, page } = scene;
    await feed.put([WORKFLOW_TEMPLATES, SHARED]);
    await open(`${feed.url}workflow-templates/data/shared?tab=manifest`);
    await page.getByRole("button", { name: "Graph", exact: true }).click();
    await awaitQuery(page, { graph: "shown" });
    const part = (name: string) => page.getByRole("img", { name });
    await part("count, sum · container").click();
    await page.getByRole("button", { name: /^Call, line/ }).click();
    const area = editedText(page, "Manifest of shared");
    const written = await area.read();
    await area.fill(written.replace("name: count", "name: tally"));
    await part("tally, sum · container").waitFor();
    await area.fill("metadata: {");
    await page.getByText("The graph is out of date").waitFor();
    await part("tally, sum · container").waitFor();
  }),
  journey("UI-38 template graph: works for schedules and cluster templates, and ends at recursion", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    expectStatus(404);
    await feed.put(
      [WORKFLOW_TEMPLATES, ETL],
      [WORKFLOW_TEMPLATES, SHARED],
      [CRON_WORKFLOWS, NIGHTLY],
      [CLUSTER_WORKFLOW_TEMPLATES, WIDE_SCOPE],
    );
    await open(`${feed.url}cluster-workflow-templates/everywhere?tab=graph`);
    await page.getByRole("img", { name: "again, a · steps, calls itself" }).waitFor();
    await page.getByText("shared (depends on the namespace of the run)").waitFor();
    await open(`${feed.url}cron-workflows/data/nightly?tab=graph`);
    await page.locator(`[data-key="nightly.onExit"]`).waitFor();
  }, { look: { ...NARROW, theme: "dark" } }),
  journey(
    "UI-69 form: a parameter is edited, saved without losing other fields, and restored by Undo",
    async (scene) => {
      const { feed, open, page } = scene;
      const parameter = { name: "region", value: "eu", enum: ["eu", "us"], description: "Where", default: "eu" };
      const spec = { ...SHARED.spec as object, arguments: { parameters: [parameter, { name: "day", value: "1" }] } };
      await feed.put([WORKFLOW_TEMPLATES, { ...SHARED, spec } as KubeObject]);
      const parameters = async () =>
        (await feed.client.get<WorkflowTemplate>(WORKFLOW_TEMPLATES, NAMESPACE, "shared")).spec.arguments?.parameters;
      await open(`${feed.url}workflow-templates/data/shared?tab=spec`);
      const region = page.getByRole("group", { name: "region" });
      await region.getByLabel("Value", { exact: true }).selectOption("us");
      await page.getByRole("group", { name: "day" }).getByLabel("Description").fill("The day that is loaded");
      await page.getByText("2 changes").waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).waitFor();
      assertEquals(await parameters(), [
        { ...parameter, value: "us" },
        { name: "day", value: "1", description: "The day that is loaded" },
      ]);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("The change was undone").waitFor();
      assertEquals(await parameters(), [parameter, { name: "day", value: "1" }]);
    },
  ),
  journey("UI-70 conflict: the form does not overwrite another user's change, nor does Undo", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    expectStatus(409);
    await feed.put([WORKFLOW_TEMPLATES, SHARED]);
    const now = async () => await feed.client.get<WorkflowTemplate>(WORKFLOW_TEMPLATES, NAMESPACE, "shared");
    const theirs = async (team: string) =>
      void await feed.client.patch(WORKFLOW_TEMPLATES, NAMESPACE, "shared", { metadata: { labels: { team } } });
    await open(`${feed.url}workflow-templates/data/shared?tab=workflow-metadata`);
    await page.getByLabel("New key of Labels, On its runs").fill("cost");
    await page.getByLabel("New value of Labels, On its runs").fill("7");
    await page.getByRole("button", { name: "Add to Labels, On its runs" }).click();
    await theirs("a");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Somebody changed this object since you opened it.").waitFor();
    assertEquals((await now()).spec.workflowMetadata, undefined);
    // The input is preserved, and saved on top of the other change.
    await page.getByRole("button", { name: "Show the current version" }).click();
    await page.getByLabel("Value of team").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    assertEquals((await now()).spec.workflowMetadata?.labels, { cost: "7" });
    assertEquals((await now()).metadata.labels?.team, "a");
    await theirs("b");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Somebody changed it in the meantime: nothing was undone").waitFor();
    assertEquals((await now()).spec.workflowMetadata?.labels, { cost: "7" });
  }, { look: NARROW }),
  journey(
    "UI-74 schedule form: concurrent writes of the controller are preserved and cause no conflict",
    async (scene) => {
      const { feed, open, page } = scene;
      const status = { lastScheduledTime: "2026-03-28T01:30:00Z", succeeded: 3 };
      const spec = { ...NIGHTLY.spec as object, workflowSpec: { ...SHARED.spec as object, entrypoint: "verify" } };
      await feed.put([CRON_WORKFLOWS, { ...NIGHTLY, spec, status } as KubeObject]);
      const now = async () => await feed.client.get<CronWorkflow>(CRON_WORKFLOWS, NAMESPACE, "nightly");
      await open(`${feed.url}cron-workflows/data/nightly?tab=cron`);
      await page.getByLabel("Schedules, one per line").fill("30 2 * * *\n0 25 * * *");
      await page.getByRole("alert").filter({ hasText: "above maximum" }).waitFor();
      await page.getByLabel("Schedules, one per line").fill("30 2 * * *\n0 12 * * 1");
      await page.getByLabel("If a run is still active").selectOption("Forbid");
      await page.getByLabel("Succeeded runs to keep").fill("5");
      await page.getByLabel("Stops permanently when").fill("cronworkflow.failed >= 3");
      await feed.client.patch(CRON_WORKFLOWS, NAMESPACE, "nightly", { status: { succeeded: 4 } });
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).waitFor();
      const { spec: changed, status: after } = await now();
      assertEquals(changed.schedules, ["30 2 * * *", "0 12 * * 1"]);
      assertEquals([changed.concurrencyPolicy, changed.successfulJobsHistoryLimit], ["Forbid", 5]);
      assertEquals([after?.succeeded, after?.lastScheduledTime], [4, status.lastScheduledTime]);
      // The manifest editor, which does not show the status, preserves it as well.
      await open(`${feed.url}cron-workflows/data/nightly?tab=manifest`);
      const area = editedText(page, "Manifest of nightly");
      await area.fill((await area.read()).replace("Europe/Berlin", "Europe/Paris"));
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).waitFor();
      assertEquals((await now()).spec.timezone, "Europe/Paris");
      assertEquals((await now()).status?.succeeded, 4);
    },
  ),
  journey(
    "UI-09 bookmarks: every part of a template or schedule that Argo's URLs name is shown",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.put([WORKFLOW_TEMPLATES, SHARED], [CLUSTER_WORKFLOW_TEMPLATES, WIDE_SCOPE], [CRON_WORKFLOWS, NIGHTLY]);
      const tabs = {
        "workflow-templates/data/shared": {
          manifest: "Manifest",
          spec: "Parameters",
          metadata: "Metadata",
          "workflow-metadata": "Metadata",
          graph: "Graph",
        },
        "cluster-workflow-templates/everywhere": {
          manifest: "Manifest",
          spec: "Parameters",
          "workflow-metadata": "Metadata",
        },
        "cron-workflows/data/nightly": {
          status: "Summary",
          manifest: "Manifest",
          cron: "Schedule",
          metadata: "Metadata",
          workflow: "Parameters",
          "workflow-metadata": "Metadata",
        },
      };
      for (const [path, names] of Object.entries(tabs)) {
        for (const [tab, word] of Object.entries(names)) {
          await open(`${feed.url}${path}?tab=${tab}`);
          const link = page.getByRole("navigation", { name: /^Parts of the/ }).getByRole("link", { name: word });
          await link.waitFor();
          assertEquals(await link.getAttribute("aria-current"), "page", `${path} ${tab}`);
        }
      }
    },
  ),
  journey(
    "UI-10 templates: are filtered by name and label, sorted, and show their last runs; of 5,000, only visible rows are drawn",
    async (scene) => {
      const { feed, open, page } = scene;
      const made = (name: string, labels: Readonly<Record<string, string>>) => ({
        ...SHARED,
        metadata: { name, namespace: NAMESPACE, labels, uid: name, creationTimestamp: "2026-03-01T00:00:00Z" },
      });
      const all = Array.from(
        { length: 5_000 },
        (_, index) => made(`t-${String(index).padStart(4, "0")}`, { team: index % 2 ? "a" : "b" }),
      );
      feed.fault = ({ path, query }) => {
        if (path !== "/api/v1/workflow-templates/data") return undefined;
        const team = /team=(\w)/.exec(query.get("listOptions.labelSelector") ?? "")?.[1];
        return Response.json({ items: team ? all.filter(({ metadata }) => metadata.labels.team === team) : all });
      };
      const label = { "workflows.argoproj.io/workflow-template": "t-0001" };
      await feed.run("one", { labels: label, phase: "Succeeded" });
      await feed.run("two", { labels: label, phase: "Failed" });
      await open(`${feed.url}workflow-templates/data?label=team%3Da`);
      const rows = page.locator("tr[data-template]");
      await page.getByText("2,500", { exact: true }).waitFor();
      assertEquals(await rows.first().getAttribute("data-template"), "t-0001");
      assert(await rows.count() < 200, String(await rows.count()));
      await rows.first().getByRole("link", { name: "two, Failed" }).waitFor();
      assertEquals(await rows.first().getByRole("link", { name: /^(one|two), / }).count(), 2);
      await page.getByRole("columnheader", { name: "Name" }).getByRole("link").click();
      await page.locator('tr[data-template="t-4999"]').waitFor();
      await awaitQuery(page, { sort: "-name" });
      await page.getByRole("link", { name: "Remove the filter team=a" }).click();
      await page.getByText("5,000", { exact: true }).waitFor();
      await page.getByRole("searchbox", { name: "Find by name" }).fill("t-12");
      await page.getByText("100 of 5,000").waitFor();
      await page.getByRole("searchbox", { name: "Find by name" }).fill("nothing");
      await page.getByRole("link", { name: "Show all" }).click();
      await page.getByText("5,000", { exact: true }).waitFor();
      await page.getByRole("textbox", { name: "Label, for example team=data" }).fill("team=b");
      await page.keyboard.press("Enter");
      await awaitQuery(page, { label: "team=b" });
      await page.getByText("2,500", { exact: true }).waitFor();
    },
  ),
  journey("UI-10 schedules: show their times in words, and are filtered by state", async ({ feed, open, page }) => {
    const named = (name: string, spec: object) =>
      ({
        ...NIGHTLY,
        metadata: { name, namespace: NAMESPACE },
        spec: { ...NIGHTLY.spec as object, ...spec },
      }) as KubeObject;
    await feed.put(
      [CRON_WORKFLOWS, named("nightly", { schedules: ["30 2 * * *", "0 9 * * 1-5"] })],
      [CRON_WORKFLOWS, named("often", { schedules: ["*/5 * * * *"], timezone: "" })],
      [CRON_WORKFLOWS, named("held", { suspend: true })],
    );
    const label = { "workflows.argoproj.io/cron-workflow": "often" };
    await feed.run("often-1", { labels: label, phase: "Failed" });
    await open(`${feed.url}cron-workflows/data?sort=next`);
    const rows = page.locator("tr[data-cron]");
    await page.getByText("at 02:30 every day").first().waitFor();
    await page.getByText("at 09:00 on Monday to Friday").waitFor();
    const names = () => rows.evaluateAll((all) => all.map((element) => element.getAttribute("data-cron")));
    // A suspended schedule has no next time, and is sorted last.
    assertEquals(await names(), ["often", "nightly", "held"]);
    await page.getByRole("link", { name: "Suspended" }).click();
    await page.getByText("1 of 3").waitFor();
    assertEquals(await names(), ["held"]);
    await page.getByRole("link", { name: "Suspended" }).click();
    await page.getByRole("link", { name: "Failing" }).click();
    await page.getByText("1 of 3").waitFor();
    assertEquals(await names(), ["often"]);
    await awaitQuery(page, { state: "failing" });
  }, { look: { ...NARROW, width: 1024 } }),
  journey(
    "UI-18 delete: a template and a schedule are deleted after eight seconds unless undone",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.put([WORKFLOW_TEMPLATES, SHARED], [CRON_WORKFLOWS, NIGHTLY]);
      const deleted = () => feed.seen.filter(({ method }) => method === "DELETE").map(({ path }) => path);
      const ask = async (name: string) => {
        await page.getByRole("button", { name: "Delete…" }).click();
        await page.getByRole("dialog").getByRole("button", { name: `Delete ${name}` }).click();
        await page.getByText(`${name} will be deleted.`).waitFor();
      };
      await open(`${feed.url}workflow-templates/data/shared`);
      await ask("shared");
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("shared will be deleted.").waitFor({ state: "detached" });
      await page.clock.runFor(20_000);
      // Leaving the page cancels the delete as well.
      await ask("shared");
      await page.getByRole("link", { name: "Templates ›" }).click();
      await page.locator('tr[data-template="shared"]').waitFor();
      await page.clock.runFor(20_000);
      assertEquals(deleted(), []);
      await open(`${feed.url}cron-workflows/data/nightly`);
      await ask("nightly");
      await page.clock.runFor(8_000);
      await page.getByText("No schedules yet").waitFor();
      assertEquals(deleted(), ["/api/v1/cron-workflows/data/nightly"]);
    },
  ),
  journey(
    "UI-73 schedule: shows missed runs, its conditions, and the effects of daylight saving time",
    async (scene) => {
      const { feed, open, page } = scene;
      const spec = {
        ...NIGHTLY.spec as object,
        schedules: ["30 2 * * *", "0 * * * *"],
        when: "{{=cronworkflow.failed}} < 2",
        stopStrategy: { expression: "cronworkflow.failed >= 3" },
        startingDeadlineSeconds: 60,
        failedJobsHistoryLimit: 7,
      };
      const status = {
        lastScheduledTime: "2026-03-28T09:00:00Z",
        succeeded: 10,
        failed: 2,
        active: [{ name: "nightly-1", namespace: NAMESPACE }],
      };
      await feed.put([CRON_WORKFLOWS, { ...NIGHTLY, spec, status } as KubeObject]);
      await open(`${feed.url}cron-workflows/data/nightly?tab=status`);
      for (
        const text of [
          "at 02:30 every day",
          "every hour",
          "{{=cronworkflow.failed}} < 2",
          "cronworkflow.failed >= 3",
          "started up to 60 s late",
          "the last 3 that succeeded, the last 7 that failed",
          "10 succeeded, 2 failed",
          "2 times, from ",
          "02:00, 02:30 do not come that day.",
          "02:00, 02:30 come twice that day.",
        ]
      ) await page.getByText(text).waitFor();
      await page.getByRole("link", { name: "nightly-1" }).waitFor();
    },
    { look: { ...NARROW, theme: "dark" } },
  ),
  journey(
    "UI-77 share: offers the link, the badge and the graph of a run, a template and a schedule",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.put([WORKFLOW_TEMPLATES, SHARED], [CRON_WORKFLOWS, NIGHTLY]);
      await feed.run("one");
      const dialog = page.getByRole("dialog");
      const frames = async () =>
        await dialog.getByLabel("HTML to embed it", { exact: true }).evaluateAll((all) =>
          all.map((element) => (element as unknown as { value: string }).value)
        );
      await open(`${feed.url}workflows/data/one`);
      await chooseIn(page, "More", "Share");
      await awaitQuery(page, { dialog: "share" });
      await dialog.waitFor();
      assertEquals(await frames(), [
        `<iframe src="${feed.url}widgets/workflow-status-badges/data?name=one" width="200" height="32" frameborder="0"></iframe>`,
        `<iframe src="${feed.url}widgets/workflow-graphs/data?name=one" width="600" height="300" frameborder="0"></iframe>`,
      ]);
      await open(`${feed.url}cron-workflows/data/nightly?sidePanel=share`);
      await dialog.getByLabel("Show zoom buttons").check();
      await dialog.getByLabel("Height of a node").fill("64");
      await dialog.getByLabel("Frame or tab").fill("_blank");
      assert(
        (await frames())[1]?.includes(
          "widgets/workflow-graphs/data?label=workflows.argoproj.io%2Fcron-workflow%3Dnightly&amp;target=_blank&amp;showOptions=true&amp;nodeSize=64",
        ),
        (await frames())[1],
      );
      await page.keyboard.press("Escape");
      await awaitQuery(page, { sidePanel: null });
      await open(`${feed.url}workflow-templates/data/shared?sidePanel=share`);
      await dialog.getByLabel("Link to this page", { exact: true }).waitFor();
      assert((await frames())[0]?.includes("workflow-template%3Dshared"));
    },
  ),
  journey(
    "UI-75 sensor: is created, changed and deleted in its list, and its log is filtered by trigger",
    async (scene) => {
      const { feed, open, page } = scene;
      await createEventCrds(feed);
      feed.fault = ({ path }) =>
        path.endsWith("/logs") ? new Response("", { headers: { "content-type": "text/event-stream" } }) : undefined;
      await open(`${feed.url}sensors/data`);
      await page.getByRole("link", { name: "New sensor" }).click();
      const area = editedText(page, /^Manifest/);
      await area.fill(
        (await area.read()).replace("name: hello-world\n", "name: ci\n").replace("name: say", "name: build"),
      );
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("link", { name: "ci", exact: true }).click();
      const sensor = async () =>
        JSON.stringify((await feed.client.get<KubeObject>(EVENT_KINDS[1]!.resource, NAMESPACE, "ci")).spec);
      await area.fill((await area.read()).replace("eventName: example", "eventName: pushed"));
      await page.getByRole("button", { name: "Save" }).click();
      await awaitFact("the change is saved", async () => (await sensor()).includes("pushed"), { seconds: 30 });
      await page.getByRole("link", { name: "Logs" }).click();
      await page.getByLabel("Log of").selectOption("build");
      await awaitQuery(page, { selectedLogNode: "data/Sensor/ci/build" });
      await awaitFact(
        "its log is requested",
        () =>
          feed.seen.some(({ path, query }) =>
            path.endsWith("/sensors/data/logs") && query.get("triggerName") === "build"
          ),
        {
          seconds: 30,
        },
      );
      await page.getByRole("link", { name: "Summary" }).click();
      await page.getByRole("button", { name: "Delete…" }).click();
      await page.getByRole("button", { name: "Delete ci" }).click();
      await page.getByText("ci will be deleted.").waitFor();
      await page.clock.runFor(8_000);
      await page.getByText("No sensors yet").waitFor();
    },
  ),
];
