/** Journeys with the palette, which finds objects by name. */
import { assertEquals } from "@std/assert";
import { CLUSTER_WORKFLOW_TEMPLATES, CRON_WORKFLOWS, type KubeObject, WORKFLOW_TEMPLATES } from "@tiphys/kube";
import { awaitQuery } from "../browser.ts";
import { type Journey, journey } from "../journey.ts";
import { awaitTrue } from "../played/played_journey.ts";

export const PALETTE: readonly Journey[] = [
  journey("UI-83 palette: finds nodes of the run, templates and schedules, in groups with counts", async (scene) => {
    const { feed, open, page } = scene;
    const pod = (index: number) => ({
      id: `etl-1-${index}`,
      name: `etl-1.load(${index})`,
      displayName: `load(${index})`,
      type: "Pod",
      phase: "Succeeded",
      templateName: "work",
    });
    const nodes = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [pod(index).id, pod(index)]));
    await feed.run("etl-1", { phase: "Succeeded", status: { nodes } });
    const spec = { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox" } }] };
    const made = (kind: string, name: string, fields: object) =>
      ({ apiVersion: "argoproj.io/v1alpha1", kind, metadata: { name }, ...fields }) as KubeObject;
    await feed.put(
      [WORKFLOW_TEMPLATES, made("WorkflowTemplate", "load-daily", { spec })],
      [CLUSTER_WORKFLOW_TEMPLATES, made("ClusterWorkflowTemplate", "load-shared", { spec })],
      [
        CRON_WORKFLOWS,
        made("CronWorkflow", "load-nightly", { spec: { schedules: ["0 3 * * *"], workflowSpec: spec } }),
      ],
    );
    await open(`${feed.url}workflows/data/etl-1`);
    const palette = page.getByRole("combobox", { name: "Search or run an action" });
    const groups = () => page.locator(".palette-group").allInnerTexts();
    await page.keyboard.press("Control+k");
    await palette.fill("load");
    await page.getByRole("group", { name: "Schedules" }).getByRole("option", { name: "data / load-nightly" }).waitFor();
    await page.getByRole("group", { name: "Cluster templates" }).getByText("load-shared").waitFor();
    await page.getByRole("group", { name: "Templates", exact: true }).getByText("data / load-daily").waitFor();
    assertEquals(await groups(), [
      "Nodes of this run, and 292 more",
      "Templates",
      "Cluster templates",
      "Schedules",
    ]);
    // Loaded objects are searched without further requests.
    await palette.fill("load night");
    await page.getByRole("option", { name: "data / load-nightly" }).waitFor();
    assertEquals(await groups(), ["Schedules"]);
    assertEquals(feed.seen.filter(({ path }) => path === "/api/v1/cron-workflows/data").length, 1);
    // The highlighted option scrolls into view.
    await palette.fill("");
    await page.keyboard.press("ArrowUp");
    for (let index = 0; index < 20; index++) await page.keyboard.press("ArrowDown");
    const place = (selector: string) => `document.querySelector("${selector}").getBoundingClientRect()`;
    const [chosen, list] = [place("#palette-list [aria-selected=true]"), place("#palette-list")];
    await awaitTrue(page, `${chosen}.top >= ${list}.top && ${chosen}.bottom <= ${list}.bottom + 1`);
    await palette.fill("(217");
    await page.getByRole("option", { name: "load(217) work" }).waitFor();
    await page.keyboard.press("Enter");
    await awaitQuery(page, { nodeId: "etl-1-217" });
    await page.getByRole("heading", { name: "load(217)" }).waitFor();
    await page.keyboard.press("Control+k");
    await palette.fill("load-sh");
    await page.getByRole("option", { name: "load-shared" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "load-shared", exact: true }).waitFor();
  }),
  journey(
    "UI-83 palette: matching results remain while more are loaded",
    async (scene) => {
      const { feed, open, page, settled } = scene;
      for (const name of ["etl-7", "etl-77", "web-1"]) await feed.run(name);
      await open(`${feed.url}workflows/data`);
      const palette = page.getByRole("combobox", { name: "Search or run an action" });
      const found = page.locator("[data-group=runs] li");
      await page.keyboard.press("Control+k");
      await palette.fill("etl-7");
      await settled();
      assertEquals((await found.allInnerTexts()).toSorted(), ["data / etl-7", "data / etl-77"]);
      const held = Promise.withResolvers<void>();
      await page.route(/nameFilter=Contains/, async (route) => {
        await held.promise;
        await route.continue().catch(() => {});
      });
      await palette.fill("etl-77");
      await page.locator("[data-group=runs] li", { hasText: /etl-7$/ }).waitFor({ state: "detached" });
      assertEquals(await found.allInnerTexts(), ["data / etl-77"]);
      held.resolve();
      await settled();
      assertEquals(await found.allInnerTexts(), ["data / etl-77"]);
    },
  ),
  journey("UI-83 palette: a user who may not list all namespaces finds runs of the current one", async (scene) => {
    const { feed, open, page, settled, expectStatus } = scene;
    await feed.run("etl-7");
    expectStatus(403);
    feed.fault = ({ path }) =>
      path === "/api/v1/workflows/" || path.startsWith("/api/v1/cluster-workflow-templates")
        ? Response.json({ code: 7, message: "not for you" }, { status: 403 })
        : undefined;
    await open(`${feed.url}workflows/data`);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run an action" }).fill("etl");
    await page.getByRole("option", { name: "data / etl-7" }).waitFor();
    await settled();
  }),
];
