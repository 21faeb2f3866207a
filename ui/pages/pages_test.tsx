/** The pages of templates, schedules, events and reports, and the frame, in all their states. */
import { type State, states } from "../testing/states.tsx";
import { assert, assertEquals } from "@std/assert";
import { Text } from "@codemirror/state";
import type { Workflow } from "@tiphys/model/api";
import { Editor } from "../components/editor.tsx";
import { EventFlowView } from "../components/event_flow_view.tsx";
import { RunDrawer } from "../components/run_drawer.tsx";
import { DeclaredPanel } from "../components/run/declared_panel.tsx";
import { RunTable } from "../components/run_table.tsx";
import { StepGridView } from "../components/step_grid.tsx";
import { SubmitForm } from "../components/submit_form.tsx";
import * as bulk from "../model/text/en/after_list.ts";
import * as frame from "../model/text/en/frame.ts";
import * as calendar from "../model/text/en/cron_page.ts";
import * as objectForm from "../model/text/en/object_form.ts";
import * as reports from "../model/text/en/reports_page.ts";
import * as keys from "../model/text/en/keys.ts";
import * as parameterField from "../model/text/en/parameter_field.ts";
import * as submitNew from "../model/text/en/submit_new.ts";
import * as shared from "../model/text/en/shared.ts";
import { Shell } from "../shell.tsx";
import { failedRun, sampleRun, STARTED, succeededRun } from "../testing/objects.ts";
import { hangs, INFO, refusal } from "../testing/server.ts";
import { ApiPage } from "./api_page.tsx";
import { BulkPlan } from "./bulk_plan.tsx";
import { RunCalendar } from "../components/run_calendar.tsx";
import { CronPage } from "./cron_page.tsx";
import { CronsPage } from "./crons_page.tsx";
import { EventFlowPage } from "./event_flow_page.tsx";
import { EventNodeDialog } from "./event_node_dialog.tsx";
import { EventTabs } from "./event_tabs.tsx";
import { EventsPage } from "./events_page.tsx";
import { Boundary, Faults } from "./faults.tsx";
import { Greetings } from "./greetings.tsx";
import { HelpPage } from "./help_page.tsx";
import { KeysDialog } from "./keys_dialog.tsx";
import { LastRuns } from "./last_runs.tsx";
import { LoginPage } from "./login_page.tsx";
import { ManifestEditor } from "./manifest_editor.tsx";
import { NamespaceChoice } from "./namespace_choice.tsx";
import { NewVersion } from "./new_version.tsx";
import { NoRuns } from "./no_runs.tsx";
import { ObjectForm } from "./object_form.tsx";
import { ListFilters, ListHead, NoneFound, RowRuns } from "./object_list.tsx";
import { ParameterDocs } from "../components/parameter_field.tsx";
import { Palette } from "./palette.tsx";
import { PaletteList } from "./palette_list.tsx";
import { Refused } from "./refused.tsx";
import { ReportsPage } from "./reports_page.tsx";
import { StepsOfRuns } from "./steps_of_runs.tsx";
import { SubmitNew } from "./submit_new.tsx";
import { SubmitTemplate } from "./submit_template.tsx";
import { TemplateGraph, TextGraph } from "./template_graph.tsx";
import { TemplatePage } from "./template_page.tsx";
import { TemplatesPage } from "./templates_page.tsx";
import { WidgetPage } from "./widget_page.tsx";
import { YouPage } from "./you_page.tsx";

const RUNS = "GET v1/workflows/argo";
const TEMPLATES = "GET v1/workflow-templates/argo";
const CRONS = "GET v1/cron-workflows/argo";
const listed = (...items: readonly unknown[]) => ({ metadata: { resourceVersion: "1" }, items });
const LONG = "a".repeat(63);

/** The frame at an address. */
function at(address: string, answers: State["answers"] = {}, check?: State["check"]): State {
  return { view: <Shell />, at: address, answers, check };
}

/** The states that result from the responses of a server. */
const answered = (address: string, key: string, others: State["answers"] = {}): Record<string, State> => ({
  loading: at(address, { ...others, [key]: hangs }),
  forbidden: at(address, { ...others, [key]: refusal(403) }, (page) => assert(page.has("alert"))),
  "not logged in": at(address, { ...others, [key]: refusal(401) }, (page) => assert(page.has("alert"))),
  "the server fails": at(address, { ...others, [key]: refusal(500) }, (page) => assert(page.has("alert"))),
});

const SPEC = {
  entrypoint: "main",
  arguments: { parameters: [{ name: "region", value: "eu", enum: ["eu", "us"] }, { name: "must" }] },
  templates: [
    { name: "main", dag: { tasks: [{ name: "a", template: "work" }] } },
    { name: "work", container: { image: "alpine" } },
  ],
};
const metadata = (name: string) => ({
  name,
  namespace: "argo",
  uid: `uid-${name}`,
  resourceVersion: "1",
  creationTimestamp: STARTED,
});
const template = (name: string) => ({ metadata: metadata(name), spec: SPEC });
const cron = (name: string, spec: object = {}, status: object = {}) => ({
  metadata: metadata(name),
  spec: { schedules: ["0 3 * * *"], workflowSpec: SPEC, ...spec },
  status,
});

states(TemplatesPage, {
  ...answered("workflow-templates/argo", TEMPLATES, { [RUNS]: listed() }),
  "of the cluster, empty": at("cluster-workflow-templates", {
    "GET v1/cluster-workflow-templates": listed(),
    "GET v1/workflows/": listed(),
  }),
  empty: at("workflow-templates/argo", { [TEMPLATES]: listed(), [RUNS]: listed() }),
});
states([TemplatesPage, ListHead, ListFilters, RowRuns, NamespaceChoice], {
  "some templates": at(
    "workflow-templates/argo",
    { [TEMPLATES]: listed(template("etl"), template(LONG)), [RUNS]: listed(succeededRun) },
    (page) => assert(page.has("link", LONG)),
  ),
  "many templates": at("workflow-templates/argo", {
    [TEMPLATES]: listed(...Array.from({ length: 150 }, (_, i) => template(`t${i}`))),
    [RUNS]: listed(),
  }),
});
states(NoneFound, {
  "no template has the name": at("workflow-templates/argo?Contains=nothing", {
    [TEMPLATES]: listed(template("etl")),
    [RUNS]: listed(),
  }),
});

const ETL = "GET v1/workflow-templates/argo/etl";
const ofEtl = (query: string, answers: State["answers"] = {}, check?: State["check"]) =>
  at(`workflow-templates/argo/etl${query}`, {
    [ETL]: template("etl"),
    [RUNS]: listed(succeededRun, failedRun),
    ...answers,
  }, check);
states(TemplatePage, {
  ...answered("workflow-templates/argo/etl", ETL),
  "not found": at("workflow-templates/argo/etl", { [ETL]: refusal(404) }, (page) => assert(page.has("alert"))),
  summary: ofEtl(""),
});
states([TemplatePage, TemplateGraph], { graph: ofEtl("?tab=graph") });
states([TemplateGraph, DeclaredPanel], { "the panel of a task": ofEtl("?tab=graph&node=etl.a") });
states([TemplatePage, ObjectForm], { spec: ofEtl("?tab=spec"), metadata: ofEtl("?tab=metadata") });
states([TemplatePage, LastRuns], {
  "last runs": ofEtl("?tab=runs"),
  "no last runs": ofEtl("?tab=runs", { [RUNS]: listed() }),
  "last runs are forbidden": ofEtl("?tab=runs", { [RUNS]: refusal(403) }, (page) => assert(page.has("alert"))),
});
states([TemplatePage, StepsOfRuns], {
  "no steps": ofEtl("?tab=steps", { [RUNS]: listed() }),
});
states([StepsOfRuns, StepGridView], {
  "steps of two runs": ofEtl("?tab=steps", {
    "GET v1/workflows/argo/hello": failedRun,
    [RUNS]: listed(failedRun),
  }),
});
states([SubmitTemplate, SubmitForm, ParameterDocs], {
  "a value is missing": ofEtl("?sidePanel=submit", {}, async (page) => {
    await page.click(page.within("dialog").one("button", shared.submitButton));
    await page.until(() => page.field("must").getAttribute("aria-invalid") === "true");
    assertEquals(page.changes, []);
  }),
  "its fields have a link to their documentation": ofEtl("?sidePanel=submit", {}, (page) => {
    const link = page.within("dialog").one("link", parameterField.parameterDocsLink);
    assertEquals(link.getAttribute("href"), "docs/reference/fields.html#parameter");
  }),
  "it is sent": ofEtl("?sidePanel=submit", {
    "POST v1/workflows/argo/submit": succeededRun,
    "GET v1/workflows/argo/hello": succeededRun,
  }, async (page) => {
    await page.type(page.field("must"), "yes");
    await page.click(page.within("dialog").one("button", shared.submitButton));
    await page.until(() => page.changes.length === 1);
  }),
});
const TYPED = {
  of: Text.of(["kind: Workflow"]),
  problems: [],
  object: { kind: "WorkflowTemplate", ...template("etl") },
};
const PROBLEM = { file: "", line: 1, column: 1, path: "spec", message: "no template" };
states(TextGraph, {
  "nothing is checked yet": { view: <TextGraph checked={undefined} namespace="argo" /> },
  "a text with a problem": {
    view: <TextGraph checked={{ ...TYPED, object: undefined, problems: [PROBLEM] }} namespace="argo" />,
    check: (page) => assert(page.has("status")),
  },
  "a text that is too long": {
    view: <TextGraph checked={{ ...TYPED, of: Text.of(["x".repeat(300 * 1024)]) }} namespace="argo" />,
    check: (page) => assert(page.has("status")),
  },
});
states([TextGraph, TemplateGraph], {
  "a template": { view: <TextGraph checked={TYPED} namespace="argo" /> },
});
states([ManifestEditor, Editor], {
  "the manifest of a template": ofEtl("?tab=manifest"),
});

states(CronsPage, {
  ...answered("cron-workflows/argo", CRONS, { [RUNS]: listed() }),
  empty: at("cron-workflows/argo", { [CRONS]: listed(), [RUNS]: listed() }),
  "active, suspended and stopped": at("cron-workflows/argo", {
    [CRONS]: listed(cron("a"), cron("b", { suspend: true }), cron(LONG, {}, { phase: "Stopped" })),
    [RUNS]: listed(),
  }),
});
const NIGHTLY = "GET v1/cron-workflows/argo/nightly";
const ofNightly = (query: string, object: unknown = cron("nightly"), check?: State["check"]) =>
  at(`cron-workflows/argo/nightly${query}`, { [NIGHTLY]: object, [RUNS]: listed(succeededRun) }, check);
states([CronPage, RunCalendar], {
  "the calendar has past runs and next times": ofNightly("", cron("nightly"), (page) => {
    const today = page.all("cell").find((cell) => cell.getAttribute("aria-current") === "date")!;
    assertEquals(today.querySelectorAll("a").length, 1);
    assert(page.text.includes(calendar.planned(1, false)), page.text);
  }),
});
states(CronPage, {
  ...answered("cron-workflows/argo/nightly", NIGHTLY, { [RUNS]: listed() }),
  "not found": at("cron-workflows/argo/nightly", { [NIGHTLY]: refusal(404) }, (page) => assert(page.has("alert"))),
  ...Object.fromEntries(
    ["summary", "graph", "cron", "workflow", "metadata", "manifest", "runs"].map((
      tab,
    ) => [tab, ofNightly(`?tab=${tab}`)]),
  ),
  "the form previews the next times": at(
    "cron-workflows/argo/nightly?tab=cron",
    { [NIGHTLY]: cron("nightly"), [RUNS]: listed() },
    (page) => page.until(() => page.text.includes(objectForm.nextTimes([]).trim())),
  ),
  "an unknown time zone is reported": ofNightly("", cron("nightly", { timezone: "Nowhere/X" }), (page) => {
    assert(page.has("alert"));
  }),
  suspended: ofNightly("", cron("nightly", { suspend: true })),
  stopped: ofNightly("", cron("nightly", {}, { phase: "Stopped", lastScheduledTime: STARTED })),
});

const EVENTS = ["workflow-event-bindings", "event-sources", "sensors"];
const eventAnswers = (items: readonly unknown[]) =>
  Object.fromEntries(EVENTS.map((list) => [`GET v1/${list}/argo`, listed(...items)]));
const source = {
  metadata: metadata("hooks"),
  spec: { webhook: { push: { port: "12000" } }, dependencies: [], triggers: [] },
};
for (const list of EVENTS) {
  states([EventsPage, EventTabs], {
    ...Object.fromEntries(
      Object.entries(answered(`${list}/argo`, `GET v1/${list}/argo`)).map((
        [name, state],
      ) => [`${list}, ${name}`, state]),
    ),
    [`${list}, empty`]: at(`${list}/argo`, eventAnswers([])),
    [`${list}, not installed`]: at(`${list}/argo`, { [`GET v1/${list}/argo`]: refusal(404) }),
    [`${list}, some`]: at(`${list}/argo`, eventAnswers([source])),
  });
}
states(EventNodeDialog, {
  "the manifest of a source": at("event-sources/argo?selectedNode=argo/EventSource/hooks", eventAnswers([source])),
});
states(EventFlowPage, {
  ...answered("event-flow/argo", "GET v1/workflow-event-bindings/argo", {
    "GET v1/event-sources/argo": listed(),
    "GET v1/sensors/argo": listed(),
    [RUNS]: listed(),
  }),
  empty: at("event-flow/argo", { ...eventAnswers([]), [RUNS]: listed() }),
});
states([EventFlowPage, EventFlowView], {
  "a source": at("event-flow/argo", {
    ...eventAnswers([]),
    "GET v1/event-sources/argo": listed(source),
    [RUNS]: listed(),
  }),
});

/** A run of a template that started on a day of March and took some seconds. */
function took(day: number, seconds: number, template: string): Workflow {
  const startedAt = new Date(Date.UTC(2026, 2, day, 12)).toISOString();
  const finishedAt = new Date(Date.UTC(2026, 2, day, 12, 0, seconds)).toISOString();
  const name = `${template}-${day}`;
  const run = sampleRun({ name, status: { startedAt, finishedAt } as Workflow["status"] });
  const labels = { "workflows.argoproj.io/workflow-template": template };
  return { ...run, metadata: { ...run.metadata, uid: name, labels } };
}

states(ReportsPage, {
  ...answered("reports/argo", RUNS),
  empty: at("reports/argo", { [RUNS]: listed() }),
  "some runs, with prices": at("reports/argo", {
    [RUNS]: listed(
      succeededRun,
      failedRun,
      sampleRun({ name: LONG, status: { resourcesDuration: { cpu: 60, memory: 60 } } as Workflow["status"] }),
    ),
    "GET v1/info": { ...INFO, prices: { currency: "USD", perHour: { cpu: 1 } } },
  }, (page) => assert(page.has("link", LONG))),
  "a resource of which less than a second was used has no column": at("reports/argo", {
    [RUNS]: listed(sampleRun({ status: { resourcesDuration: { cpu: 0, memory: 60 } } as Workflow["status"] })),
  }, (page) => assert(page.has("columnheader", reports.memoryField) && !page.text.includes(reports.cpuField))),
  "days, outliers and the choice of a template": at(
    "reports/argo",
    {
      [RUNS]: listed(
        ...[1, 2, 3, 4].map((day) => took(day, 10, "etl")),
        took(5, 7200, "build"),
      ),
    },
    async (page) => {
      assert(page.text.includes(reports.longerThanScale(1, "2h")), page.text);
      assert(page.text.includes(reports.daysHeading) && page.text.includes("2026-03-0"), page.text);
      await page.type(page.one("combobox", reports.templateField), "build");
      assertEquals(page.address, "reports/argo?labels=workflows.argoproj.io%2Fworkflow-template%3Dbuild");
    },
  ),
});

const WIDGET = "widgets/workflow-status-badges/argo?name=hello";
states(WidgetPage, {
  "without a run": at("widgets/workflow-status-badges/argo"),
  "the badge of a run": at(WIDGET, { [RUNS]: listed(succeededRun) }),
  "no run is meant": at(WIDGET, { [RUNS]: listed() }),
  forbidden: at(WIDGET, { [RUNS]: refusal(403) }, (page) => assert(page.has("alert"))),
  "the graph of a run": at("widgets/workflow-graphs/argo?name=hello", {
    [RUNS]: listed(failedRun),
    "GET v1/workflows/argo/hello": failedRun,
  }),
});

states(LoginPage, {
  "with a token": at("login"),
  "with single sign-on": { ...at("login"), session: { modes: ["sso", "client"] } },
  "by a ticket": { ...at("login"), session: { login: "ticket", modes: [] } },
});
const USER = "GET v1/userinfo";
states(YouPage, {
  ...answered("userinfo", USER),
  "a person": at("userinfo", {
    [USER]: { subject: "ann", issuer: "https://sso.test", groups: ["a", LONG], email: "a@b.c" },
  }),
  "a service account": at("userinfo", { [USER]: { serviceAccountName: "argo", serviceAccountNamespace: "argo" } }),
});
states(HelpPage, { "all of it": at("help") });
states(ApiPage, { "all routes": at("apidocs") });

const oneRun = { [RUNS]: listed(succeededRun) };
states([RunTable, NamespaceChoice], {
  "one run": at("workflows/argo", oneRun),
  "a suggested namespace is opened when it is chosen": at(
    "workflows/argo",
    {
      ...oneRun,
      "GET v1/workflows/": listed(),
      "GET v1/workflows/team-a": listed(),
      "GET tiphys/v1/workflows//activity": { spans: {}, namespaces: ["argo", "team-a"] },
    },
    async (page) => {
      const field = page.field(shared.namespaceField);
      field.focus();
      await page.until(() => page.all("option", (name) => name === "" || name === "team-a").length > 0);
      await page.settled();
      assertEquals([...document.querySelectorAll("datalist option")].map((option) => option.getAttribute("value")), [
        "argo",
        "team-a",
      ]);
      await page.type(field, "team-a");
      assertEquals(page.address, "workflows/team-a");
    },
  ),
});
states(RunDrawer, {
  "of a run": at("workflows/argo?peek=uid-hello", oneRun, (page) => page.until(() => page.has("complementary"))),
});
states(NoRuns, {
  "no runs yet": at("workflows/argo", { [RUNS]: listed() }),
  "none behind a filter": at("workflows/argo?phase=Failed", { [RUNS]: listed() }),
});
states(Refused, { "a run that is gone": at("workflows/argo/gone", { "GET v1/workflows/argo/gone": refusal(404) }) });
states([SubmitNew, Editor], {
  "a new run": at("workflows/argo?sidePanel=submit-new-workflow", { ...oneRun, [TEMPLATES]: listed() }),
  "a template is submitted instead: its form opens": at("workflows/argo?sidePanel=submit-new-workflow", {
    ...oneRun,
    [TEMPLATES]: listed(template("etl"), template("clean")),
    [ETL]: template("etl"),
  }, async (page) => {
    await page.until(() => page.has("option", "etl"));
    await page.type(page.field(submitNew.templateField), "etl");
    await page.until(() => page.address.startsWith("workflow-templates/argo/etl?sidePanel=submit"));
  }),
  "a new run starts with an example, until its text was changed": at(
    "workflows/argo?sidePanel=submit-new-workflow",
    { ...oneRun, [TEMPLATES]: listed() },
    async (page) => {
      const start = await page.find("combobox", submitNew.startField);
      await page.type(start, submitNew.starts.dag);
      await page.settled();
      assertEquals(page.field(submitNew.startField).value, submitNew.starts.dag);
      assertEquals(page.field(submitNew.startField).disabled, false);
      const typed = document.createEvent("Event");
      typed.initEvent("input", true);
      page.one("dialog").querySelector(".manifest")!.dispatchEvent(typed);
      await page.until(() => page.field(submitNew.startField).disabled);
    },
  ),
});
states(BulkPlan, {
  "runs that are retried": at("workflows/argo", {
    [RUNS]: listed(failedRun),
    "GET v1/workflows/argo/hello": failedRun,
  }, async (page) => {
    await page.click(page.within("table").all("checkbox")[1]!);
    await page.click(page.one("button", bulk.retryButton));
    await page.until(() => page.within("dialog").has("listitem"));
    assertEquals(page.changes, []);
  }),
});
states([Palette, PaletteList], {
  "the keys of the palette open it": at("help", {}, async (page) => {
    await page.click(page.one("button", (name) => name.includes(frame.searchButton)));
    await page.until(() => page.has("dialog"));
    await page.settled();
  }),
});
states(KeysDialog, {
  "the key ? opens it": at("help", {}, async (page) => {
    await page.press("?", document.body);
    await page.until(() => page.has("dialog"));
  }),
  "a key without effect is listed as not available": at("workflows/argo/hello?tab=artifacts", {
    "GET v1/workflows/argo/hello": failedRun,
  }, async (page) => {
    await page.until(() => page.has("tab"));
    await page.press("?", document.body);
    await page.until(() => page.has("dialog"));
    const idle = page.one("region", keys.idleKeysHeading);
    assert(idle.textContent?.includes(keys.onlyFailed));
    assert(!idle.textContent?.includes(keys.showGraph));
  }),
});
states([Boundary, Faults, NewVersion], { "nothing is wrong": at("help") });
function Broken(): never {
  throw new TypeError("broken");
}
states(Boundary, {
  "a page that cannot be drawn": {
    view: (
      <Boundary place={{ page: { kind: "help" }, query: [] }}>
        <Broken />
      </Boundary>
    ),
    faults: /broken/,
    check: (page) => assert(page.has("alert")),
  },
});
states(Greetings, {
  "a first visit": at(
    "workflows/argo",
    { ...oneRun, "GET v1/info": { ...INFO, modals: { firstTimeUser: true } } },
    (page) => page.until(() => page.has("button", shared.dismissButton)),
  ),
  "a question": at("workflows/argo", { ...oneRun, "GET v1/info": { ...INFO, modals: { feedback: true } } }),
});
