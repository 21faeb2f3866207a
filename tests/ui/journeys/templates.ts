/** Journeys on templates, schedules, forms and the editor. */
import { Buffer } from "node:buffer";
import { assert, assertEquals } from "@std/assert";
import type { CronWorkflow, Workflow, WorkflowTemplate } from "@tiphys/model/api";
import { CRON_WORKFLOWS, type KubeObject, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { awaitFact } from "../../await_fact.ts";
import { awaitQuery, NARROW } from "../browser.ts";
import { editedText } from "../edited_text.ts";
import { type Feed, NAMESPACE, NOW } from "../feed/feed.ts";
import { type Journey, journey } from "../journey.ts";

const API_VERSION = "argoproj.io/v1alpha1";
const CONTAINER = { image: "busybox", command: ["true"] };

const TEMPLATE = {
  apiVersion: API_VERSION,
  kind: "WorkflowTemplate",
  metadata: { name: "etl", namespace: NAMESPACE, annotations: { "workflows.argoproj.io/description": "Loads a day" } },
  spec: {
    entrypoint: "main",
    arguments: { parameters: [{ name: "region", value: "eu", enum: ["eu", "us"], description: "Where it runs" }] },
    templates: [
      { name: "main", inputs: { parameters: [{ name: "region" }, { name: "day" }] }, container: CONTAINER },
      { name: "clean", container: CONTAINER },
    ],
  },
} as KubeObject;

const PLAIN = {
  apiVersion: API_VERSION,
  kind: "WorkflowTemplate",
  metadata: { name: "plain", namespace: NAMESPACE },
  spec: { entrypoint: "main", templates: [{ name: "main", container: CONTAINER }] },
} as KubeObject;

const CRON = {
  apiVersion: API_VERSION,
  kind: "CronWorkflow",
  metadata: { name: "nightly", namespace: NAMESPACE },
  spec: { schedules: ["30 2 * * *"], timezone: "Europe/Berlin", workflowSpec: PLAIN.spec },
} as KubeObject;

const WITH_FILE = {
  apiVersion: API_VERSION,
  kind: "WorkflowTemplate",
  metadata: { name: "with-file", namespace: NAMESPACE },
  spec: { ...PLAIN.spec as object, arguments: { artifacts: [{ name: "table" }] } },
} as KubeObject;

async function onlyRun(feed: Feed): Promise<Workflow> {
  const { items } = await feed.client.list<Workflow>(WORKFLOWS, NAMESPACE);
  const [run] = items;
  assert(run && items.length === 1, `expected one run, found ${items.length}`);
  return run;
}

export const TEMPLATES: readonly Journey[] = [
  journey("UI-68 editor: reports a typo with its position, like tiphys lint", async (scene) => {
    const { feed, open, page } = scene;
    await feed.run("etl-1");
    await open(`${feed.url}workflows/data?sidePanel=submit-new-workflow`);
    const text = editedText(page, "Manifest of the run");
    await page.getByText("No problems").waitFor();
    await text.fill((await text.read()).replace("entrypoint: main", "entrypoint: mian"));
    const problem = page.getByRole("region", { name: "Problems" }).getByRole("button");
    await problem.waitFor();
    assert((await problem.innerText()).includes("spec.entrypoint"), await problem.innerText());
    await problem.click();
    const line = await page.locator(".cm-activeLine").innerText();
    assert(line.includes("mian"), line);
    assertEquals(await page.getByRole("button", { name: "Submit" }).isDisabled(), true);
  }),
  journey(
    "UI-78 upload: works below the base href, and the server's message about a large file is shown",
    async (scene) => {
      const { feed, open, page, expectStatus } = scene;
      expectStatus(413);
      await feed.put([WORKFLOW_TEMPLATES, WITH_FILE]);
      await open(`${feed.url}workflow-templates/data/with-file?sidePanel=submit`);
      await page.getByRole("button", { name: "Submit" }).click();
      await page.getByText("A file is required. Choose a file, or drop it here.").waitFor();
      // Canceling the file dialog leaves the form open.
      await page.getByLabel("table").dispatchEvent("cancel");
      feed.fault = ({ path }) =>
        path.startsWith("/upload-artifacts/")
          ? Response.json({ code: 8, message: "the upload is larger than 10 bytes" }, { status: 413 })
          : undefined;
      const file = { name: "days.csv", mimeType: "text/csv", buffer: Buffer.from("day,rows\n1,2\n") };
      await page.getByLabel("table").setInputFiles(file);
      await page.getByText("days.csv was refused: the upload is larger than 10 bytes").waitFor();
      await page.getByRole("button", { name: "Submit" }).click();
      assertEquals(feed.seen.filter(({ path }) => path.endsWith("/submit")), []);
      feed.fault = undefined;
      await page.getByLabel("table").setInputFiles(file);
      await page.getByText("Uploaded days.csv.").waitFor();
      await page.getByRole("button", { name: "Submit" }).click();
      await page.waitForURL(/\/a\/b\/workflows\/data\/with-file-/);
      const [given] = (await onlyRun(feed)).spec.arguments?.artifacts ?? [];
      assertEquals(given?.name, "table");
      assert(given?.s3?.key?.startsWith("uploads/data/") && given.s3.key.endsWith("/days.csv"), given?.s3?.key);
    },
    { baseHref: "/a/b/", withStores: true },
  ),
  journey("UI-78 editor: opens a local file as manifest, and rejects a large one", async (scene) => {
    const { feed, open, page } = scene;
    await feed.run("etl-1");
    await open(`${feed.url}workflows/data?sidePanel=submit-new-workflow`);
    const text = editedText(page, "Manifest of the run");
    const first = await text.read();
    await text.drop("run.yaml", "kind: Workflow # dropped");
    await awaitFact(
      "the file is in the place of the text",
      async () => await text.read() === "kind: Workflow # dropped",
      {
        seconds: 30,
      },
    );
    await text.area.press("ControlOrMeta+z");
    assertEquals(await text.read(), first);
    const choose = page.locator("input[type=file]");
    const whole = Buffer.alloc(3 << 20, "#");
    await choose.setInputFiles({ name: "large.yaml", mimeType: "application/yaml", buffer: whole });
    await page.getByText("large.yaml has 3.0 MB").waitFor();
    const named = (await text.read()).replace("generateName: hello-world-", "name: from-a-file");
    await choose.setInputFiles({ name: "run.yaml", mimeType: "application/yaml", buffer: Buffer.from(named) });
    await page.getByText("No problems").waitFor();
    await page.getByRole("button", { name: "Dry run" }).click();
    const created = await page.getByLabel("Manifest of the dry run").innerText();
    assert(created.includes("name: from-a-file") && created.includes("submit-from-ui"), created);
    await page.getByRole("button", { name: "Submit" }).click();
    await page.waitForURL(/\/workflows\/data\/from-a-file/);
  }),
  journey("UI-71 submit: a run is submitted with a template's form, and a link restores the form", async (scene) => {
    const { feed, open, page } = scene;
    await feed.put([WORKFLOW_TEMPLATES, TEMPLATE]);
    await open(`${feed.url}workflows/data?sidePanel=submit-new-workflow`);
    await page.getByLabel("or submit a template").selectOption("etl");
    await page.getByLabel("day").waitFor();
    await open(`${feed.url}workflow-templates/data`);
    await page.getByRole("link", { name: "etl", exact: true }).click();
    await page.getByText("Loads a day").waitFor();
    await page.getByRole("link", { name: "Submit" }).click();
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByText("A value is required.").waitFor();
    await page.getByLabel("day").fill("2026-03-01");
    await page.getByLabel("region").selectOption("us");
    await page.reload();
    assertEquals(await page.getByLabel("day").inputValue(), "2026-03-01");
    assertEquals(await page.getByLabel("region").inputValue(), "us");
    await page.getByRole("button", { name: "Copy as command" }).click();
    await page.getByText(
      "tiphys submit --from workflowtemplate/etl --namespace data --parameter=region=us --parameter=day=2026-03-01",
    )
      .waitFor();
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText("nothing was created").waitFor();
    assert((await page.getByLabel("Manifest of the dry run").innerText()).includes("generateName: etl-"));
    assertEquals((await feed.client.list<Workflow>(WORKFLOWS, NAMESPACE)).items, []);
    await page.getByRole("button", { name: "Submit" }).click();
    await page.waitForURL(/\/workflows\/data\/etl-/);
    const { spec, metadata } = await onlyRun(feed);
    const values = Object.fromEntries((spec.arguments?.parameters ?? []).map(({ name, value }) => [name, value]));
    assertEquals([values.day, values.region], ["2026-03-01", "us"]);
    assertEquals(metadata.labels?.["submit-from-ui"], "true");
  }),
  journey(
    "UI-71 actions: those that the user may not use on a template or schedule are disabled, with the missing right",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.put([WORKFLOW_TEMPLATES, PLAIN], [CRON_WORKFLOWS, CRON]);
      const right = (verb: string, resource: string) => [{ verb, group: "argoproj.io", resource }];
      const lacks = (resource: string) => ({
        submit: right("create", "workflows"),
        suspend: right("patch", resource),
        delete: right("delete", resource),
        update: right("update", resource),
      });
      feed.fault = ({ path }) =>
        path.endsWith("/can")
          ? Response.json({ lacks: lacks(path.includes("cron") ? "cronworkflows" : "workflowtemplates") })
          : undefined;
      await open(`${feed.url}workflow-templates/data/plain?tab=manifest`);
      await page.getByText("Submit: you lack the right to create workflows.argoproj.io.").waitFor();
      await page.getByText("Delete: you lack the right to delete workflowtemplates.argoproj.io.").waitFor();
      for (const name of ["Submit", "Delete…", "Save"]) {
        assertEquals(await page.getByRole("button", { name }).isDisabled(), true);
      }
      await open(`${feed.url}cron-workflows/data/nightly?sidePanel=submit`);
      await page.getByText("Suspend: you lack the right to patch cronworkflows.argoproj.io.").waitFor();
      const form = page.getByRole("dialog");
      await form.getByText("You lack the right to create workflows.argoproj.io.").waitFor();
      assertEquals(await form.getByRole("button", { name: "Submit" }).isDisabled(), true);
    },
  ),
  journey("UI-71 submit: a value outside the choices is shown in the form", async (scene) => {
    const { feed, open, page } = scene;
    const spec = {
      ...PLAIN.spec as object,
      arguments: { parameters: [{ name: "region", value: "mars", enum: ["eu"] }] },
    };
    await feed.put([WORKFLOW_TEMPLATES, { ...PLAIN, spec } as unknown as KubeObject]);
    await open(`${feed.url}workflow-templates/data/plain?sidePanel=submit`);
    assertEquals(await page.getByLabel("region").locator("option:checked").innerText(), "mars");
  }),
  journey(
    "UI-71 submit: after a change of the entrypoint, a typed value appears in the list of choices",
    async (scene) => {
      const { feed, open, page } = scene;
      const taking = (name: string, more: object) => ({
        name,
        inputs: { parameters: [{ name: "size", ...more }] },
        container: CONTAINER,
      });
      const spec = {
        entrypoint: "main",
        templates: [taking("main", {}), taking("fixed", { enum: ["small", "large"] })],
      };
      await feed.put([WORKFLOW_TEMPLATES, { ...PLAIN, spec } as unknown as KubeObject]);
      await open(`${feed.url}workflow-templates/data/plain?sidePanel=submit`);
      await page.getByRole("textbox", { name: "size" }).pressSequentially("small");
      await page.getByLabel("Entrypoint").selectOption("fixed");
      await page.getByRole("combobox", { name: "size" }).waitFor();
      assertEquals(await page.getByRole("combobox", { name: "size" }).inputValue(), "small");
    },
  ),
  journey(
    "UI-71 submit: if the default of a choice is a list, several choices are checked by keyboard",
    async (scene) => {
      const { feed, open, page } = scene;
      const choices = { enum: ["eu", "us", "asia"], description: "Where it runs" };
      const spec = {
        ...PLAIN.spec as object,
        arguments: {
          parameters: [{ name: "regions", value: '["eu"]', ...choices }, {
            name: "days",
            default: "[1]",
            enum: ["1", "2"],
          }],
        },
      };
      await feed.put([WORKFLOW_TEMPLATES, { ...PLAIN, spec } as unknown as KubeObject]);
      await open(`${feed.url}workflow-templates/data/plain?sidePanel=submit`);
      const group = page.getByRole("group", { name: "regions", description: "Where it runs" });
      const box = (name: string) => group.getByRole("checkbox", { name, exact: true });
      const checked = () =>
        group.getByRole("checkbox").evaluateAll((all) => all.map((element) => element.matches(":checked")));
      assertEquals(await checked(), [true, false, false]);
      await box("eu").focus();
      await page.keyboard.press("Space");
      for (let i = 0; i < 2; i++) await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      await awaitQuery(page, { "parameters[regions]": '["asia"]' });
      await box("us").check();
      await awaitQuery(page, { "parameters[regions]": '["us","asia"]' });
      await group.getByText('Default: ["eu"]').waitFor();
      await page.getByRole("group", { name: "days" }).getByRole("checkbox", { name: "2" }).check();
      await awaitQuery(page, { "parameters[days]": "[1,2]" });
      await page.reload();
      await group.waitFor();
      assertEquals(await checked(), [false, true, true]);
      await page.getByRole("button", { name: "Copy as command" }).click();
      await page.getByText(`'--parameter=regions=["us","asia"]' '--parameter=days=[1,2]'`).waitFor();
      await page.getByRole("button", { name: "Submit" }).click();
      await page.waitForURL(/\/workflows\/data\/plain-/);
      const { parameters = [] } = (await onlyRun(feed)).spec.arguments ?? {};
      assertEquals(parameters.map(({ name, value }) => [name, value]), [["regions", '["us","asia"]'], [
        "days",
        "[1,2]",
      ]]);
      // A value from a link may not be a list. It is shown unchanged in a text field, and stays there while the user
      // types.
      await open(`${feed.url}workflow-templates/data/plain?sidePanel=submit&parameters[regions]=mars`);
      const field = page.getByRole("textbox", { name: "regions" });
      assertEquals(await field.inputValue(), "mars");
      await field.fill("");
      await field.pressSequentially('["us"]');
      assertEquals(await field.inputValue(), '["us"]');
      assertEquals(await field.evaluate((element) => element === element.ownerDocument.activeElement), true);
      await field.fill("");
      await field.pressSequentially(`"${"long ".repeat(20)}"`);
      assertEquals((await field.inputValue()).length, 102);
      await field.fill('["mars","us"]');
      await awaitQuery(page, { "parameters[regions]": '["mars","us"]' });
      await page.reload();
      await group.waitFor();
      assertEquals(await group.getByRole("checkbox").count(), 4);
      assertEquals(await checked(), [false, true, false, true]);
    },
  ),
  journey(
    "UI-71 submit: an argument with a default and no value is sent with the default",
    async ({ feed, open, page }) => {
      const spec = { ...PLAIN.spec as object, arguments: { parameters: [{ name: "region", default: "eu" }] } };
      await feed.put([WORKFLOW_TEMPLATES, { ...PLAIN, spec } as unknown as KubeObject]);
      await open(`${feed.url}workflow-templates/data/plain?sidePanel=submit`);
      await page.getByRole("button", { name: "Submit" }).click();
      await page.waitForURL(/\/workflows\/data\/plain-/);
      assertEquals((await onlyRun(feed)).spec.arguments?.parameters?.[0]?.value, "eu");
    },
  ),
  journey("UI-72 submit: a template without arguments is submitted unchanged", async ({ feed, open, page }) => {
    await feed.put([WORKFLOW_TEMPLATES, PLAIN]);
    await open(`${feed.url}workflow-templates/data/plain?sidePanel=submit`);
    await page.getByRole("dialog").getByText("No parameters.").waitFor();
    await page.getByRole("button", { name: "Submit" }).click();
    await page.waitForURL(/\/workflows\/data\/plain-/);
    assertEquals((await onlyRun(feed)).metadata.labels?.["workflows.argoproj.io/workflow-template"], "plain");
  }),
  journey("UI-73 schedule: a time that daylight saving time skips is not a next time", async ({ feed, open, page }) => {
    await feed.put([CRON_WORKFLOWS, CRON]);
    await open(`${feed.url}cron-workflows/data/nightly`);
    const times = page.locator("time");
    await times.first().waitFor();
    const found = await times.evaluateAll((all) => all.map((element) => element.getAttribute("datetime")));
    // On March 29, 02:30 does not exist in Berlin.
    assertEquals(found.slice(0, 2), ["2026-03-30T00:30:00.000Z", "2026-03-31T00:30:00.000Z"]);
    const plannedOn = (date: string) => page.locator(`.calendar td:has(time[datetime="${date}"])`).innerText();
    assertEquals((await plannedOn("2026-03-29")).trim(), "29");
    assert((await plannedOn("2026-03-30")).includes("1 run planned"), await plannedOn("2026-03-30"));
  }),
  journey("UI-74 schedule: Undo resumes a suspended schedule", async ({ feed, open, page }) => {
    await feed.put([CRON_WORKFLOWS, CRON]);
    const isSuspended = async () =>
      (await feed.client.get<CronWorkflow>(CRON_WORKFLOWS, NAMESPACE, "nightly")).spec.suspend ?? false;
    await open(`${feed.url}cron-workflows/data/nightly`);
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    assertEquals(await isSuspended(), true);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Suspend" }).waitFor();
    assertEquals(await isSuspended(), false);
  }),
  journey(
    "UI-68 editor: offers completions by keyboard, and describes fields",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.put([WORKFLOW_TEMPLATES, PLAIN]);
      await open(`${feed.url}workflow-templates/data/plain?tab=manifest`);
      const text = editedText(page, "Manifest of plain");
      const choices = page.getByRole("listbox", { name: "Completions" });
      await text.fill("kind: WorkflowTemplate\nspec:\n  templates:\n    - name: main\n  ");
      await page.getByText("Ctrl Space completes").waitFor();
      await page.keyboard.type("entry");
      await choices.getByRole("option", { name: "entrypoint text" }).waitFor();
      assertEquals(await choices.getByRole("option").first().getAttribute("aria-selected"), "true");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Control+Space");
      await choices.getByRole("option", { name: "main template" }).waitFor();
      await page.keyboard.press("Tab");
      assertEquals((await text.read()).split("\n").at(-1), "  entrypoint: main");
      await page.locator(".editor-help").getByText("spec.entrypoint").waitFor();
      const docs = page.locator(".editor-help").getByRole("link", { name: "Docs" });
      assertEquals(await docs.getAttribute("href"), "docs/reference/fields.html#workflowspec");
      // Undo reverts a completion like typed text.
      await page.keyboard.press("Control+z");
      assertEquals((await text.read()).split("\n").at(-1), "  entrypoint: ");
      await page.keyboard.press("Control+Space");
      await choices.waitFor();
      await page.keyboard.press("Escape");
      await choices.waitFor({ state: "detached" });
      await page.locator(".cm-line").nth(3).getByText("name").hover();
      await page.clock.setFixedTime(new Date(NOW).getTime() + 60_000);
      await page.locator(".cm-tooltip").getByText("spec.templates[].name").waitFor();
    },
  ),
  journey("UI-69 form: setting a value preserves comments, choices and order of the manifest", async (scene) => {
    const { feed, open, page } = scene;
    await feed.put([WORKFLOW_TEMPLATES, TEMPLATE]);
    await open(`${feed.url}workflow-templates/data/etl?tab=manifest`);
    const text = editedText(page, "Manifest of etl");
    const commented = (await text.read())
      .replace("entrypoint: main", "entrypoint: main # the way in")
      .replace("      name: region\n", "      # where the data lies\n      name: region\n");
    await text.fill(commented);
    const form = page.getByRole("group", { name: "Parameters" });
    await form.getByLabel("region").selectOption("us");
    const after = await text.read();
    assertEquals(after, commented.replace("value: eu", "value: us"));
    assert(after.includes("# the way in") && after.includes("# where the data lies"), after);
    await text.fill(after.replace("value: us", "value: eu"));
    await awaitFact("the form shows the value", async () => await form.getByLabel("region").inputValue() === "eu", {
      seconds: 30,
    });
    await form.getByLabel("region").selectOption("us");
    await page.getByRole("button", { name: "Save" }).click();
    await awaitFact("the change is saved", async () => {
      const { spec } = await feed.client.get<WorkflowTemplate>(WORKFLOW_TEMPLATES, NAMESPACE, "etl");
      const [region] = spec.arguments?.parameters ?? [];
      return region?.value === "us" && region.enum?.join() === "eu,us" && region.description === "Where it runs";
    }, { seconds: 30 });
  }),
  journey("UI-70 conflict: changes of two users at different places are merged and saved", async (scene) => {
    const { feed, open, page, expectStatus } = scene;
    expectStatus(409);
    await feed.put([WORKFLOW_TEMPLATES, PLAIN]);
    await open(`${feed.url}workflow-templates/data/plain?tab=manifest`);
    const text = editedText(page, "Manifest of plain");
    await feed.client.patch(WORKFLOW_TEMPLATES, NAMESPACE, "plain", { metadata: { labels: { theirs: "1" } } });
    await text.fill((await text.read()).replace("image: busybox", "image: alpine # mine"));
    await page.getByRole("button", { name: "Save" }).click();
    const panel = page.getByRole("alert").filter({ hasText: "It was changed in the meantime" });
    await panel.getByText("metadata.labels").waitFor();
    const now = async () => await feed.client.get<WorkflowTemplate>(WORKFLOW_TEMPLATES, NAMESPACE, "plain");
    const imageOf = ({ spec }: WorkflowTemplate) => spec.templates?.[0]?.container?.image;
    assertEquals(imageOf(await now()), "busybox");
    assert((await text.read()).includes("image: alpine # mine"), await text.read());
    await page.getByRole("button", { name: "Save" }).click();
    await panel.waitFor({ state: "detached" });
    await awaitFact("both changes are saved", async () => {
      const template = await now();
      return imageOf(template) === "alpine" && template.metadata.labels?.theirs === "1";
    }, { seconds: 30 });
  }),
  journey(
    "UI-70 conflict: at the same place, the user's own change remains until the other one is chosen",
    async (scene) => {
      const { feed, open, page, expectStatus } = scene;
      expectStatus(409);
      await feed.put([WORKFLOW_TEMPLATES, PLAIN]);
      await open(`${feed.url}workflow-templates/data/plain?tab=manifest`);
      const text = editedText(page, "Manifest of plain");
      const templates = [{ name: "main", container: { ...CONTAINER, image: "debian" } }];
      await feed.client.patch(WORKFLOW_TEMPLATES, NAMESPACE, "plain", { spec: { templates } });
      await text.fill((await text.read()).replace("image: busybox", "image: alpine"));
      await page.getByRole("button", { name: "Save" }).click();
      const conflict = page.getByRole("listitem").filter({ hasText: "spec.templates[main].container.image" });
      await conflict.filter({ hasText: /yours alpine.*theirs debian/ }).waitFor();
      assert((await text.read()).includes("image: alpine"), await text.read());
      await page.getByRole("button", { name: "Take theirs" }).click();
      await page.getByRole("button", { name: "Take theirs" }).waitFor({ state: "detached" });
      assert((await text.read()).includes("image: debian"), await text.read());
    },
  ),
  journey(
    "UI-68 editor: marks problems in the text, F8 moves between them, and the list links to them",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.put([WORKFLOW_TEMPLATES, TEMPLATE]);
      await open(`${feed.url}workflow-templates/data/etl?tab=manifest`);
      const text = editedText(page, "Manifest of etl");
      const wrong = (await text.read()).replace("entrypoint: main", "entrypoint: mian").replace("image:", "imag:");
      await text.fill(wrong);
      const problems = page.getByRole("region", { name: "Problems" }).getByRole("button");
      await problems.nth(1).waitFor();
      const count = await problems.count();
      const marks = page.locator(".cm-lintRange-error");
      assertEquals([await marks.count(), await page.locator(".cm-lint-marker").count()], [count, count]);
      const activeLine = page.locator(".cm-activeLine");
      await page.keyboard.press("ControlOrMeta+Home");
      const walked: string[] = [];
      for (let n = 0; n < count; n++) {
        await page.keyboard.press("F8");
        walked.push(await activeLine.innerText());
      }
      assertEquals(new Set(walked).size, count, walked.join());
      assert(
        walked.some((line) => line.includes("mian")) && walked.some((line) => line.includes("imag:")),
        walked.join(),
      );
      // The tooltip of a mark shows the same message as the list.
      const tooltip = await page.locator(".cm-tooltip .cm-diagnostic").first().innerText();
      assert(
        (await problems.allInnerTexts()).some((innerText) =>
          innerText.replaceAll(/\s+/g, " ").includes(tooltip.trim())
        ),
        tooltip,
      );
      await page.keyboard.press("Shift+F8");
      assertEquals(await activeLine.innerText(), walked.at(-2));
      await problems.filter({ hasText: "spec.entrypoint" }).click();
      assert((await activeLine.innerText()).includes("mian"), await activeLine.innerText());
    },
  ),
  journey("UI-68 editor: find, replace and fold work by keyboard, and Escape leaves the editor", async (scene) => {
    const { feed, open, page } = scene;
    await feed.put([WORKFLOW_TEMPLATES, TEMPLATE]);
    await open(`${feed.url}workflow-templates/data/etl?tab=manifest`);
    const text = editedText(page, "Manifest of etl");
    await text.area.focus();
    const first = await text.read();
    await page.keyboard.press("ControlOrMeta+f");
    const find = page.getByRole("search", { name: "Find in the manifest" });
    await find.getByRole("textbox", { name: "Find" }).fill("busybox");
    await page.keyboard.press("Enter");
    await page.locator(".cm-searchMatch-selected").waitFor();
    await find.getByRole("textbox", { name: "Replace with" }).fill("alpine");
    await find.getByRole("button", { name: "Replace all" }).click();
    assertEquals(await text.read(), first.replaceAll("busybox", "alpine"));
    await find.getByRole("textbox", { name: "Find" }).press("Escape");
    await find.waitFor({ state: "detached" });
    await page.keyboard.press("ControlOrMeta+z");
    assertEquals(await text.read(), first);
    // `Go to` moves to the line of a template.
    await page.getByLabel("Go to").selectOption({ label: "template clean" });
    assertEquals((await page.locator(".cm-activeLine").innerText()).trim(), "name: clean");
    await page.getByLabel("Go to").selectOption({ label: "templates" });
    await page.keyboard.press("Control+Shift+BracketLeft");
    await page.locator(".cm-foldPlaceholder").waitFor();
    assert(!(await text.read()).includes("name: clean"), await text.read());
    await page.keyboard.press("Control+Shift+BracketRight");
    await page.locator(".cm-foldPlaceholder").waitFor({ state: "detached" });
    // Tab indents the line; after Escape it leaves the editor.
    await page.keyboard.press("Tab");
    assert((await page.locator(".cm-activeLine").innerText()).startsWith("    templates:"));
    await page.keyboard.press("Shift+Tab");
    assertEquals(await text.read(), first);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assertEquals(await text.area.evaluate((element) => element.ownerDocument.activeElement?.shadowRoot ?? null), null);
  }),
  journey("UI-68 editor: the first Escape leaves the text of a new run, and the second closes it", async (scene) => {
    const { feed, open, page } = scene;
    await feed.run("etl-1");
    await open(`${feed.url}workflows/data?sidePanel=submit-new-workflow`);
    const text = editedText(page, "Manifest of the run");
    await text.area.press("ControlOrMeta+End");
    await page.keyboard.type("# mine");
    await page.keyboard.press("Escape");
    assert((await text.read()).endsWith("# mine"), await text.read());
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }),
  journey(
    "UI-69 editor: comments survive a conversion to JSON and back, and a note names what JSON lacks",
    async (scene) => {
      const { feed, open, page } = scene;
      await feed.put([WORKFLOW_TEMPLATES, TEMPLATE]);
      await open(`${feed.url}workflow-templates/data/etl?tab=manifest`);
      const text = editedText(page, "Manifest of etl");
      const commented = (await text.read()).replace("entrypoint: main", "entrypoint: main # the way in");
      await text.fill(commented);
      await page.getByRole("button", { name: "Convert to JSON" }).click();
      await page.getByText("JSON has no comments").waitFor();
      const json = JSON.parse(await text.read());
      assertEquals(json.spec.entrypoint, "main");
      const form = page.getByRole("group", { name: "Parameters" });
      await form.getByLabel("region").selectOption("us");
      assertEquals(JSON.parse(await text.read()).spec.arguments.parameters[0].value, "us");
      await page.getByRole("button", { name: "Convert to YAML" }).click();
      assertEquals(await text.read(), commented.replace("value: eu", "value: us"));
      // Each step is one change: Undo reverts the conversion, then the change of the form.
      await text.area.focus();
      await page.keyboard.press("ControlOrMeta+z");
      await page.keyboard.press("ControlOrMeta+z");
      assertEquals(JSON.parse(await text.read()).spec.arguments.parameters[0].value, "eu");
      await page.getByText("No problems").waitFor();
    },
  ),
  journey("UI-70 save: text that is typed during a save remains, and is saved next", async (scene) => {
    const { feed, open, page } = scene;
    await feed.put([WORKFLOW_TEMPLATES, PLAIN]);
    await open(`${feed.url}workflow-templates/data/plain?tab=manifest`);
    const text = editedText(page, "Manifest of plain");
    await text.fill((await text.read()).replace("image: busybox", "image: alpine"));
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route(/\/api\/v1\/workflow-templates\/data\/plain\?/, async (route) => {
      if (route.request().method() === "PUT") {
        asked.resolve();
        await held.promise;
      }
      await route.fallback();
    });
    await page.getByRole("button", { name: "Save" }).click();
    await asked.promise;
    await text.area.press("ControlOrMeta+End");
    await page.keyboard.type("# typed meanwhile");
    held.resolve();
    const now = async () => await feed.client.get<WorkflowTemplate>(WORKFLOW_TEMPLATES, NAMESPACE, "plain");
    const imageOf = ({ spec }: WorkflowTemplate) => spec.templates?.[0]?.container?.image;
    await awaitFact("the manifest is saved, and the editor has updated its base", async () => {
      const { metadata } = await now();
      return (await text.read()).includes(`resourceVersion: "${metadata.resourceVersion}"`) &&
        imageOf(await now()) === "alpine";
    }, { seconds: 30 });
    assert((await text.read()).includes("# typed meanwhile"), await text.read());
    await text.fill((await text.read()).replace("image: alpine", "image: debian"));
    await page.getByRole("button", { name: "Save" }).click();
    await awaitFact("the next change is saved", async () => imageOf(await now()) === "debian", { seconds: 30 });
  }),
  journey("UI-68 editor: a text of five megabytes is editable, with a note about disabled features", async (scene) => {
    const { feed, open, page } = scene;
    await feed.put([WORKFLOW_TEMPLATES, PLAIN]);
    await open(`${feed.url}workflow-templates/data/plain?tab=manifest`);
    const text = editedText(page, "Manifest of plain");
    const first = await text.read();
    await text.fill(`${first}${"# a line that says nothing\n".repeat(200_000)}`);
    await page.getByText("larger than 2 MB: it is not checked").waitFor();
    await page.getByText("shown without syntax colors").waitFor();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.type("# typed ");
    assert((await text.read()).startsWith("# typed apiVersion"), (await text.read()).slice(0, 100));
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type("the end");
    assertEquals(await page.locator(".cm-activeLine").innerText(), "the end");
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByText("No problems").waitFor();
    assertEquals(await text.read(), first);
  }),
  journey("UI-87 editor: works in dark mode on a narrow screen", async (scene) => {
    const { feed, open, page } = scene;
    await feed.put([WORKFLOW_TEMPLATES, TEMPLATE]);
    await open(`${feed.url}workflow-templates/data/etl?tab=manifest`);
    const text = editedText(page, "Manifest of etl");
    await text.fill((await text.read()).replace("image: busybox", "image: '{{x}}' # the image\n        priorty: 1"));
    await page.getByRole("region", { name: "Problems" }).waitFor();
    await page.locator(".cm-lintRange-error").first().waitFor();
    await page.keyboard.press("ControlOrMeta+f");
    await page.getByRole("search").waitFor();
    const width = await page.evaluate("document.documentElement.scrollWidth");
    assertEquals(width, 390);
  }, { look: { ...NARROW, theme: "dark" } }),
];
