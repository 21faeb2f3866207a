/** The parts of the page of a run in all their states. */
import { type Screen, type State, states } from "../../testing/states.tsx";
import { assert, assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { BlockView } from "../../components/markdown.tsx";
import { ArtifactView } from "../../components/run/artifact_view.tsx";
import { ComparedView } from "../../components/run/compared_view.tsx";
import { Dialog } from "../../components/run/dialog.tsx";
import { Facts } from "../../components/run/facts.tsx";
import { FlameView } from "../../components/run/flame_view.tsx";
import { FoundCount } from "../../components/run/found_count.tsx";
import { PartsMenu, ShapeChips } from "../../components/run/graph_menu.tsx";
import { GraphNode } from "../../components/run/graph_node.tsx";
import { GraphView } from "../../components/run/graph_view.tsx";
import { LogText } from "../../components/run/log_text.tsx";
import { LogViewer } from "../../components/run/log_viewer.tsx";
import { Minimap } from "../../components/run/minimap.tsx";
import { Containers, NodePanel, ReasonList } from "../../components/run/node_panel.tsx";
import { NodeRows } from "../../components/run/node_rows.tsx";
import { ResumeDialog } from "../../components/run/resume_dialog.tsx";
import { ResumeForm, StepFields } from "../../components/run/resume_form.tsx";
import { ParameterFields, PlanTime, RetryDialog } from "../../components/run/retry_dialog.tsx";
import { RunCost } from "../../components/run/run_cost.tsx";
import { RunDetails } from "../../components/run/run_details.tsx";
import { makePart } from "../../model/graph/make_part.ts";
import * as words from "../../model/text/en/run_page.ts";
import { Shell } from "../../shell.tsx";
import { ShareDialog } from "../share_dialog.tsx";
import {
  approval,
  failedRun,
  runningRun,
  sampleNode,
  sampleRun,
  succeededRun,
  waitingRun,
} from "../../testing/objects.ts";
import { endedStream, hangs, INFO, refusal, stream } from "../../testing/server.ts";
import { AnswerPanel } from "./answer.tsx";
import { Approvals } from "./approvals.tsx";
import { ArtifactPeek } from "./artifact_peek.tsx";
import { ArtifactDialog } from "./artifact_dialog.tsx";
import { ArtifactsTab } from "./artifacts_tab.tsx";
import { CompareTab } from "./compare_tab.tsx";
import { CriticalPathPanel } from "./critical_path_panel.tsx";
import { EventsTab } from "./events_tab.tsx";
import { GraphExports } from "./graph_exports.tsx";
import { GraphTab } from "./graph_tab.tsx";
import { LogTail } from "./log_tail.tsx";
import { LogsTab } from "./logs_tab.tsx";
import { ManifestTab } from "./manifest_tab.tsx";
import { ReplaySlider } from "./replay_slider.tsx";
import { RowsTab } from "./rows_tab.tsx";
import { StackList } from "./stack_list.tsx";
import { DoingRefusal, DoingUndo, RunButtons } from "./run_actions.tsx";
import { RunAdvice } from "./run_advice.tsx";
import { RunDetailsPanel } from "./run_details_panel.tsx";
import { ResubmitDialog, StopDialog, WhereDialog } from "./run_dialogs.tsx";
import { RunHead, SentenceWithReasons } from "./run_head.tsx";
import { RunPanel } from "./run_panel.tsx";
import { RunTabs, TabBody } from "./run_tabs.tsx";
import * as answers from "../../model/text/en/answer.ts";
import * as logsTab from "../../model/text/en/logs_tab.ts";
import * as lists from "../../model/text/en/artifacts_tab.ts";
import * as views from "../../model/text/en/artifact_dialog.ts";
import * as rowsTab from "../../model/text/en/rows_tab.ts";
import * as runDialogs from "../../model/text/en/run_dialogs.ts";
import * as shared from "../../model/text/en/shared.ts";

const RUN = "GET v1/workflows/argo/hello";

/** The page of a run at an address. */
function stateOf(run: unknown, query = "", check?: State["check"], answers: State["answers"] = {}): State {
  return {
    view: <Shell />,
    at: `workflows/argo/hello${query && `?${query}`}`,
    answers: {
      [RUN]: run,
      [`${RUN}/log`]: endedStream({ content: "two rows have no id", podName: "hello-load" }),
      ...answers,
    },
    check,
  };
}

const LONG = "a-name-that-is-as-long-as-names-in-kubernetes-may-be-253-".repeat(4);
const many = sampleRun({
  phase: "Running",
  nodes: Array.from({ length: 150 }, (_, i) => sampleNode(`n${i}`, i % 3 === 0 ? "Running" : "Succeeded")),
});
const longNamed = sampleRun({ phase: "Failed", nodes: [sampleNode(LONG, "Failed", { message: LONG })] });
const unstarted = sampleRun({ phase: "Pending", nodes: [] });
const STATES: Readonly<Record<string, Workflow>> = {
  failed: failedRun,
  running: runningRun,
  succeeded: succeededRun,
  suspended: sampleRun({ phase: "Running", spec: { suspend: true }, nodes: [sampleNode("a", "Succeeded")] }),
  "waiting for a person": waitingRun(approval("approve")),
  "not started": unstarted,
  "many nodes": many,
  "a long name": longNamed,
};
const each = (query: string, answers: State["answers"] = {}): Record<string, State> =>
  Object.fromEntries(Object.entries(STATES).map(([name, run]) => [name, stateOf(run, query, undefined, answers)]));

/** The primary button of the header, by state of the run. */
const PRIMARY: readonly (readonly [string, Workflow, string])[] = [
  ["failed", failedRun, words.askRetryButton],
  ["succeeded", succeededRun, words.askResubmitButton],
  ["running", runningRun, words.askStopButton],
  ["waits for a person", waitingRun(approval("approve")), words.askResumeButton],
  ["suspended", { ...runningRun, spec: { ...runningRun.spec, suspend: true } }, words.resumeButton],
];
states(
  [RunButtons],
  Object.fromEntries(PRIMARY.map(([state, run, button]) => [
    `${state}: one action has a button, and the menu has all others`,
    {
      ...stateOf(run, "", () => {
        const buttons = [...document.querySelectorAll(".actions .button:not(summary)")];
        assertEquals(buttons.filter((one) => !one.closest(".menu")).map(({ textContent }) => textContent), [button]);
        assert(buttons.length > 3);
      }),
      withoutAxe: true,
    },
  ])),
);
const SOURCE = {
  metadata: {
    name: "hello",
    labels: { "workflows.argoproj.io/cron-workflow": "nightly", "workflows.argoproj.io/creator": "ada" },
  },
  spec: {
    arguments: { parameters: Array.from({ length: 6 }, (_, i) => ({ name: `p${i}`, value: "v".repeat(i * 100) })) },
  },
};
states([RunHead], {
  "source, creator and parameters": stateOf(sampleRun(SOURCE), "", (page) => {
    const source = page.within("group", words.sourceLabel);
    assert(source.has("link", "nightly"));
    const { text } = source;
    assert(text.includes(words.byCreator("ada")) && text.includes("p3=v") && !text.includes("p4="), text);
    assert(text.includes(words.moreParameters(2)) && text.length < 300, text);
  }),
  "a condition is in the line of the source": stateOf(
    sampleRun({ status: { conditions: [{ type: "MetricsError", status: "True", message: LONG }] } }),
    "",
    (page) => assert(page.within("group", words.sourceLabel).text.includes(`MetricsError ${LONG}`)),
  ),
});
states([RunHead, SentenceWithReasons, RunButtons, RunTabs, TabBody, GraphTab], each("tab=graph"));
const drawnAt = (size: number, label: string) => {
  const part = makePart({ key: label, label, kind: "leaf", node: sampleNode(label, "Succeeded"), family: "done" });
  const placed = { part, x: 0, y: 0, width: 128, height: 46, isOpen: false, holder: undefined };
  const props = { placed, id: "part", now: 0, isSelected: false, isCursor: false, isMarked: false, size };
  return {
    view: (
      <svg>
        <GraphNode {...props} />
      </svg>
    ),
    withoutAxe: true,
  };
};
states([GraphNode], {
  "at 100 %: its name, its phase and its duration": {
    ...drawnAt(13, "load"),
    check: () => {
      assertEquals(document.querySelector(".sub")?.textContent, "2m 30s");
      assertEquals(document.querySelectorAll(".glyph").length, 1);
    },
  },
  "far away: its name alone, in larger letters": {
    ...drawnAt(26, "load"),
    check: () => {
      assertEquals(document.querySelectorAll(".sub, .glyph").length, 0);
      assertEquals(document.querySelector<SVGElement>(".label")?.style.fontSize, "26px");
    },
  },
  "far away: a longer name is smaller before it is cut": {
    ...drawnAt(22, "load-all-eu"),
    check: () => assertEquals(document.querySelector(".label")?.textContent, "load-all-eu"),
  },
});
states([GraphView, GraphNode, PartsMenu, GraphExports], {
  "a small graph with its zoom": stateOf(failedRun, "tab=graph", (page) => {
    assert(/^\d+ %$/.test(document.querySelector(".zoom")?.textContent ?? ""), page.text);
  }),
});
const fanOut = (count: number) => {
  const items = Array.from(
    { length: count },
    (_, i) => sampleNode(`load(${i}:x)`, i === 70 ? "Failed" : "Succeeded", { displayName: `load(${i}:x)` }),
  );
  const group = sampleNode("load", "Failed", { type: "TaskGroup", children: items.map(({ id }) => id) });
  const run = sampleRun({ phase: "Failed", nodes: [group, ...items] });
  const tasks = [{ name: "load", template: "work", withSequence: { count: `${count}` } }];
  const templates = [{ name: "main", dag: { tasks } }, { name: "work", container: { image: "alpine" } }];
  return { ...run, spec: { ...run.spec, templates } } as Workflow;
};
states([GraphTab, StackList, NodeRows], {
  "the items of a long loop open as a list, which filters": stateOf(fanOut(120), "tab=graph", async (page) => {
    await page.click(document.querySelector("[data-fold]")!);
    await page.settled();
    assert(page.address.includes("stack="), page.address);
    const list = page.within("region", rowsTab.listLabel("load"));
    assertEquals(page.one("treegrid").getAttribute("aria-rowcount"), "120");
    await page.type(list.field(rowsTab.filterField), "load(7");
    assertEquals(page.one("treegrid").getAttribute("aria-rowcount"), "11");
    await page.click(list.one("button", /^Failed/));
    assertEquals(list.all("row").map((row) => row.id), ["row-id-load(70:x)"]);
    await page.click(list.one("row"));
    assert(page.address.includes("nodeId=id-load"), page.address);
    assert(document.querySelectorAll(".part").length < 5, "the loop stays folded in the graph");
  }),
});
states([StackList], {
  "no item matches": stateOf(fanOut(120), "tab=graph&stack=hello.load", async (page) => {
    await page.type(page.field(rowsTab.filterField), "nothing");
    assert(page.text.includes(rowsTab.noneMatches));
  }),
  "it is closed, or unfolded in the graph": stateOf(fanOut(120), "tab=graph&stack=hello.load", async (page) => {
    await page.click(page.one("button", rowsTab.unfoldButton));
    assert(page.address.includes("fold=") && !page.address.includes("stack="), page.address);
    assert(document.querySelectorAll(".part").length > 100);
  }),
});
states([ShapeChips], {
  "a filter is removed by its chip": stateOf(failedRun, "phase=Failed", async (page) => {
    const before = page.address;
    await page.click(page.all("link").find((link) => link.className.includes("chip"))!);
    assert(page.address !== before);
  }),
});
states([RowsTab, NodeRows], {
  ...Object.fromEntries(Object.entries(each("tab=timeline")).filter(([name]) => name !== "not started")),
  ...Object.fromEntries(
    Object.entries(each("tab=tree")).filter(([name]) => name !== "not started").map((
      [name, state],
    ) => [`tree, ${name}`, state]),
  ),
});
states([RowsTab, NodeRows], {
  "timeline: the items of a loop are one row until it is opened": stateOf(fanOut(120), "tab=timeline", async (page) => {
    const shown = () => page.one("treegrid").getAttribute("aria-rowcount");
    assertEquals(shown(), "2");
    assert(page.text.includes(rowsTab.fanOut(120, 1)));
    await page.press("ArrowDown", page.one("treegrid"));
    await page.press("ArrowDown", page.one("treegrid"));
    await page.press("ArrowRight", page.one("treegrid"));
    assertEquals(shown(), "122");
    await page.click(page.all("row")[1]!);
    assertEquals(shown(), "2");
  }),
  "timeline: the loop of a selected item is open": stateOf(fanOut(30), "tab=timeline&nodeId=id-load(7:x)", (page) => {
    assertEquals(page.one("treegrid").getAttribute("aria-rowcount"), "32");
  }),
});
states(FoundCount, {
  "nodes are found": stateOf(failedRun, "find=load", (page) => assert(page.has("status"))),
  "nothing is found": stateOf(failedRun, "find=nowhere"),
});

const LOG = `${RUN}/log`;
const line = (content: string) => ({ content, podName: "hello-load" });
states([LogsTab], {
  "no lines": stateOf(failedRun, "tab=logs", undefined, { [LOG]: endedStream() }),
  "the log hangs": stateOf(failedRun, "tab=logs", undefined, { [LOG]: hangs }),
  forbidden: stateOf(failedRun, "tab=logs", (page) => assert(page.has("alert")), { [LOG]: refusal(403) }),
});
const TRACE = [
  "Traceback (most recent call last):",
  ...Array(6).fill('  File "a.py", line 1, in main'),
  "ValueError: x",
];
states([LogsTab, LogViewer], {
  "a failed run opens the pod that failed, and all pods are a choice": stateOf(failedRun, "tab=logs", async (page) => {
    const pod = page.field(logsTab.podField);
    assertEquals(pod.value, "id-load");
    assertEquals(document.querySelector("optgroup")?.label, logsTab.failedPods(1));
    await page.type(pod, "");
    await page.settled();
    assertEquals(page.field(logsTab.podField).value, "");
    assert(decodeURIComponent(page.address).includes("sidePanel=logs:"), page.address);
  }),
  "the frames of a stack trace are folded until they are opened": stateOf(failedRun, "tab=logs", async (page) => {
    const button = await page.find("button", logsTab.stackTraceButton(6));
    const shown = () => document.querySelectorAll("[data-line]").length;
    assertEquals([shown(), document.querySelectorAll(".log-line.error").length], [3, 2]);
    await page.click(button);
    assertEquals(shown(), 8);
  }, { [LOG]: endedStream(...TRACE.map(line)) }),
  "lines of a run that has finished": stateOf(
    failedRun,
    "tab=logs",
    async (page) => {
      await page.until(() => page.text.includes("row 2"));
      assert(!page.has("checkbox", logsTab.followToggle), "nothing is left to follow");
    },
    {
      [LOG]: endedStream(line("2026-03-04T11:00:01Z row 1"), line("2026-03-04T11:00:02Z row 2")),
    },
  ),
  "lines of a run that is running": stateOf(
    runningRun,
    "tab=logs",
    async (page) => {
      await page.until(() => page.text.includes("row 1"));
      page.one("checkbox", logsTab.followToggle);
    },
    {
      [LOG]: stream(line("row 1")),
    },
  ),
  "many lines, one of them long": stateOf(
    failedRun,
    "tab=logs",
    (page) => page.until(() => page.text.includes("line 1")),
    {
      [LOG]: endedStream(line("x".repeat(20_000)), ...Array.from({ length: 500 }, (_, i) => line(`line ${i}`))),
    },
  ),
});

const event = (type: string, message: string) => ({
  type,
  reason: "Reason",
  message,
  count: 2,
  lastTimestamp: "2026-03-04T11:01:00Z",
  involvedObject: { kind: "Workflow", name: "hello" },
});
const EVENTS = "GET v1/stream/events/argo";
states(EventsTab, {
  "no events": stateOf(runningRun, "tab=events"),
  "events of both types, warnings marked": stateOf(runningRun, "tab=events", async (page) => {
    await page.until(() => page.text.includes("was evicted"));
    assertEquals(document.querySelectorAll("tr.warning").length, 1);
  }, {
    [EVENTS]: stream(event("Normal", "Pulled"), event("Warning", `The pod ${LONG} was evicted`)),
  }),
  "events of one node": stateOf(failedRun, "tab=events&sidePanel=events:id-load", undefined, { [EVENTS]: stream() }),
  forbidden: stateOf(runningRun, "tab=events", (page) => assert(page.has("alert")), { [EVENTS]: refusal(403) }),
  "the server has no events": stateOf(runningRun, "tab=events", undefined, { [EVENTS]: refusal(501) }),
});

states(ManifestTab, each("tab=manifest"));

const artifact = (name: string) => ({ name, path: `/tmp/${name}`, s3: { key: `hello/${name}` } });
const withOutputs = (artifacts: NonNullable<NodeStatus["outputs"]>["artifacts"]) =>
  sampleRun({ nodes: [sampleNode("load", "Succeeded", { outputs: { parameters: [], artifacts } })] });
const withArtifacts = (...names: readonly string[]) => withOutputs(names.map(artifact));
const fileOf = (name: string) => `GET artifact-files/argo/workflows/hello/id-load/outputs/${name}`;
const FILE = fileOf("report.csv");
const file = (body: BodyInit, type: string, name = "report.csv") => () =>
  new Response(body, {
    headers: { "content-type": type, "content-disposition": `attachment; filename="${name}"` },
  });
states(ArtifactsTab, {
  "no artifacts": stateOf(succeededRun, "tab=artifacts"),
  "some artifacts with their types": stateOf(withArtifacts("report.csv", "all.tgz", LONG), "tab=artifacts", (page) => {
    assert(page.has("link", "report.csv"));
    assert(page.has("cell", lists.types.csv) && page.has("cell", lists.types.tgz));
  }, { [FILE]: file("a,b\n1,2\n", "text/csv"), [fileOf("all.tgz")]: refusal(404), [fileOf(LONG)]: hangs }),
  "an artifact with its size": stateOf(withArtifacts("report.csv"), "tab=artifacts", (page) => {
    assert(page.has("cell", "8 B"));
  }, { [FILE]: file("a,b\n1,2\n", "text/csv") }),
  "the sizes in the run are shown without requests": stateOf(
    withOutputs([{ ...artifact("report.csv"), size: 2048 }, { ...artifact("folder"), size: 10, objects: 2 }]),
    "tab=artifacts",
    (page) => assert(page.has("cell", "2.0 KiB") && page.has("cell", "2 files")),
    { [FILE]: refusal(500), [fileOf("folder")]: refusal(500) },
  ),
});
const opened = "tab=artifacts&artifactNode=id-load&artifact=outputs:report.csv";
states([ArtifactDialog], {
  loading: stateOf(withArtifacts("report.csv"), opened, undefined, { [FILE]: hangs }),
  "not found": stateOf(withArtifacts("report.csv"), opened, (page) => assert(page.has("alert")), {
    [FILE]: refusal(404),
  }),
  forbidden: stateOf(withArtifacts("report.csv"), opened, (page) => assert(page.has("alert")), {
    [FILE]: refusal(403),
  }),
});
states([ArtifactView, BlockView], {
  "Markdown is formatted, and its source is shown on request": stateOf(
    withArtifacts("report.csv"),
    opened,
    async (page) => {
      await page.until(() => document.querySelector(".markdown strong")?.textContent === "bold");
      assert(!page.text.includes("**"), page.text);
      await page.click(page.one("button", views.sourceToggle));
      assert(page.text.includes("is **bold**"), page.text);
    },
    { [FILE]: file("# Report\n\nThis is **bold**.\n", "text/markdown", "report.md") },
  ),
});
states([ArtifactDialog, ArtifactView], {
  "a table": stateOf(
    withArtifacts("report.csv"),
    opened,
    (page) => page.until(() => page.all("cell", "42").length === 1),
    {
      [FILE]: file("id,count\na,42\n", "text/csv"),
    },
  ),
  "a text": stateOf(withArtifacts("report.csv"), opened, (page) => page.until(() => page.text.includes("hello text")), {
    [FILE]: file("hello text\n", "text/plain", "report.txt"),
  }),
  "it is next to the list, with type and size, until it is closed": stateOf(
    withArtifacts("report.csv"),
    opened,
    async (page) => {
      await page.until(() => page.text.includes("text/plain · 11 B"));
      assertEquals(document.activeElement?.id, "artifact-title");
      assertEquals(document.querySelectorAll("tr[aria-current]").length, 1);
      await page.press("Escape");
      assert(!page.has("dialog") && page.has("link", "report.csv"));
      assert(!page.address.includes("artifact="), page.address);
    },
    { [FILE]: file("hello text\n", "text/plain", "report.txt") },
  ),
  "an image": stateOf(withArtifacts("report.csv"), opened, (page) => page.until(() => page.has("img", /report/)), {
    [FILE]: file(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]), "image/png", "report.png"),
  }),
});

const LIST = "GET v1/workflows/argo";
const before = (run: Workflow) => ({ ...run, metadata: { ...run.metadata, name: "before", uid: "uid-before" } });
states([CompareTab], {
  "no other run": stateOf(failedRun, "tab=compare", undefined, { [LIST]: { metadata: {}, items: [failedRun] } }),
  forbidden: stateOf(failedRun, "tab=compare", (page) => assert(page.has("alert")), { [LIST]: refusal(403) }),
  loading: stateOf(failedRun, "tab=compare", undefined, { [LIST]: hangs }),
});
states([CompareTab, ComparedView], {
  "with an earlier run": stateOf(
    failedRun,
    "tab=compare&with=before:uid-before",
    (page) => page.until(() => page.has("table")),
    {
      [LIST]: { metadata: {}, items: [failedRun, before(succeededRun)] },
      "GET v1/workflows/argo/before": before(succeededRun),
    },
  ),
});

states([CriticalPathPanel, FlameView], {
  failed: stateOf(failedRun, "show=critical"),
  running: stateOf(runningRun, "show=critical"),
});
states([CriticalPathPanel], { "not started": stateOf(unstarted, "show=critical") });
const PRICES = { "GET v1/info": { ...INFO, prices: { currency: "USD", perHour: { cpu: 0.04, memory: 0.005 } } } };
const used = sampleRun({ status: { resourcesDuration: { cpu: 7200, memory: 3600 } } as Workflow["status"] });
states([RunCost, RunAdvice], {
  failed: stateOf(failedRun, "show=cost"),
  "with prices": stateOf(used, "show=cost", undefined, PRICES),
});
states([RunDetailsPanel, RunDetails, Facts], {
  "few details": stateOf(succeededRun, "show=details"),
  "a template, a creator, parameters and labels": stateOf(
    sampleRun({
      metadata: {
        labels: { team: "a", "workflows.argoproj.io/workflow-template": "etl", "workflows.argoproj.io/creator": "ann" },
        annotations: { "workflows.argoproj.io/description": "Loads **all**" },
      },
      spec: { arguments: { parameters: [{ name: "region", value: "eu" }, { name: "long", value: LONG }] } },
    }),
    "show=details",
    (page) => assert(page.text.includes("region")),
  ),
});
states(ReplaySlider, {
  "in the middle of the run": stateOf(failedRun, "at=2026-03-04T11:01:00Z", (page) => assert(page.has("slider"))),
});

states([RunPanel, NodePanel], {
  ...Object.fromEntries(
    ["summary", "why", "inputs-outputs", "containers"].flatMap((panel) => [
      [`a failed pod, ${panel}`, stateOf(failedRun, `nodeId=id-load&nodePanelView=${panel}`)],
      [`a pending pod, ${panel}`, stateOf(runningRun, `nodeId=id-report&nodePanelView=${panel}`)],
    ]),
  ),
  "a skipped node": stateOf(failedRun, "nodeId=id-report"),
  "the root": stateOf(failedRun, "nodeId=hello"),
  "a long name": stateOf(longNamed, `nodeId=id-${LONG}`),
});
states([ReasonList], {
  "reasons of a waiting run": stateOf(runningRun, "", async (page) => {
    await page.click(page.one("button", words.whyButton));
    await page.until(() => page.text.includes("a larger node"));
  }, {
    [`${RUN}/why`]: {
      reasons: [{
        code: "Unschedulable",
        node: "hello.report",
        text: "no node has 4 CPUs",
        unblock: "a larger node",
        blocks: [{ kind: "Holder", name: "argo/other/step" }],
      }],
    },
  }),
});
const answerIs = (label: string) => (page: Screen) => page.within("region", label);
const failure = answerIs(answers.failureLabel("load"));
const retried = sampleRun({
  phase: "Failed",
  nodes: [
    sampleNode("load", "Failed", { type: "Retry", children: ["id-load(0)", "id-load(1)"] }),
    ...["load(0)", "load(1)"].map((name, i) =>
      sampleNode(name, "Failed", { message: `main: Error (exit code ${i})`, nodeFlag: { retried: true } })
    ),
  ],
});
states([AnswerPanel, LogTail, LogText], {
  "failed: the cause, the marked log lines and the actions": stateOf(failedRun, "", async (page) => {
    const found = failure(page);
    assert(found.text.includes("exit code 3: two rows have no id"));
    const lines = found.all("listitem");
    assertEquals(lines.map(({ className }) => className), ["", "error"]);
    assertEquals(lines[1]?.textContent, `${logsTab.errorMark} ValueError: two rows have no id`);
    assert(page.requests.some(({ query }) => query.get("logOptions.tailLines") === "20"));
    await page.click(found.one("button", words.retryFromHereButton));
    await page.find("dialog", runDialogs.retryHeading("hello"));
    await page.settled();
    await page.press("Escape", document.body);
    await page.until(() => !page.has("dialog"));
    await page.click(failure(page).one("button", answers.resubmitButton));
    await page.find("dialog", runDialogs.resubmitTitle("hello"));
    await page.settled();
    await page.press("Escape", document.body);
    await page.until(() => !page.has("dialog"));
    await page.click(failure(page).one("link", answers.openLogLink));
    await page.until(() => page.address.includes("sidePanel=logs"));
  }, {
    [`${RUN}/log`]: endedStream(
      { content: "begin", podName: "hello-load" },
      { content: "ValueError: two rows have no id", podName: "hello-load" },
    ),
  }),
});
const WHY = `${RUN}/why`;
const REASONS = {
  reasons: [
    { code: "Running", node: "hello.load", text: "running on node-7", blocks: [], unblock: "no action needed" },
    {
      code: "NodeLock",
      node: "hello.report",
      text: "waits for db",
      blocks: [{ kind: "Holder", name: "argo/other" }],
      unblock: "no action needed: it is retried",
    },
  ],
};
states([AnswerPanel], {
  "failed: the log is empty": stateOf(failedRun, "", (page) => {
    assert(failure(page).text.includes(logsTab.noLog));
  }, { [`${RUN}/log`]: endedStream() }),
  "failed: the log is refused": stateOf(failedRun, "", (page) => {
    assert(failure(page).text.includes(logsTab.logRefused("")));
  }, { [`${RUN}/log`]: refusal(403) }),
  "failed after retries: the last attempt": stateOf(retried, "", (page) => {
    assert(answerIs(answers.failureLabel("load(1)"))(page).text.includes("exit code 1"));
  }),
  "a selected failed node is the subject": stateOf(failedRun, "nodeId=id-load", (page) => void failure(page)),
  "running: nodes in progress, and what they wait for": stateOf(runningRun, "", (page) => {
    const { text } = answerIs(answers.progressHeading(2))(page);
    assert(text.includes(answers.runningFor("1h")) && text.includes("Unschedulable: no node has 4 CPUs"), text);
  }),
  "running: the reasons of the server, with the run that holds a lock": stateOf(
    runningRun,
    "",
    (page) => {
      const answer = answerIs(answers.progressHeading(2))(page);
      assert(answer.has("link", "other") && answer.text.includes("waits for db"), answer.text);
      assert(answer.text.includes("No action needed: it is retried"), answer.text);
      assert(!answer.text.includes("on node-7"), "nodes in progress are listed once");
      assert(!answer.text.includes("Unschedulable"), "a reason replaces the message of its node");
    },
    { [WHY]: REASONS },
  ),
  "running: while Why lists the reasons, they are not repeated": stateOf(runningRun, "", async (page) => {
    await page.click(page.one("button", words.whyButton));
    await page.until(() => page.all("link", "other").length === 1);
    assert(!answerIs(answers.progressHeading(2))(page).has("link", "other"));
  }, { [WHY]: REASONS }),
  ...Object.fromEntries([501, 500, 403].map((status) => [
    `running: the server answers ${status} for the reasons`,
    stateOf(runningRun, "", (page) => {
      const { text } = answerIs(answers.progressHeading(2))(page);
      assert(text.includes("load") && text.includes("Unschedulable: no node has 4 CPUs"), text);
      assert(!page.has("alert"), page.picture);
    }, { [WHY]: refusal(status) }),
  ])),
  "pending: the reason why the run waits": stateOf(unstarted, "", (page) => {
    assert(answerIs(answers.waitingHeading)(page).has("link", "other"));
  }, { [WHY]: REASONS }),
  "pending: without a known reason, the graph has the room": stateOf(unstarted, "", (page) => {
    assert(!page.has("region", answers.waitingHeading));
  }, { [WHY]: { reasons: [] } }),
  "succeeded: outputs and artifacts": stateOf(
    sampleRun({
      status: { outputs: { parameters: [{ name: "rows", value: "7" }] } },
      nodes: [
        sampleNode("load", "Succeeded", { outputs: { artifacts: [{ name: "report", s3: { key: "a/report" } }] } }),
      ],
    }),
    "",
    (page) => {
      const found = answerIs(answers.outputsHeading)(page);
      assert(found.text.includes("rows7"));
      assert(found.has("link", "report"));
    },
    { "GET artifact-files/argo/workflows/hello/id-load/outputs/report": refusal(404) },
  ),
});
const peek = (state: string, body: BodyInit, type: string, name: string, text: string) =>
  [
    `a peek at ${state}`,
    stateOf(withArtifacts("report.csv"), "", (page) =>
      page.until(() =>
        document.querySelector(".answer.columns")?.textContent?.includes(text) === true
      ), {
      [FILE]: file(body, type, name),
    }),
  ] as const;
states([ArtifactPeek], {
  ...Object.fromEntries([
    peek("a text: its size and first lines", "a\n".repeat(9), "text/plain", "a.txt", "18 Ba\na\na\na\na"),
    peek("a table: its first rows", "id,n\na,42\n", "text/csv", "a.csv", "10 Bidna42"),
    peek("Markdown: formatted", "# Report\n\n**bold**", "text/markdown", "a.md", "Reportbold"),
  ]),
  "an image": stateOf(withArtifacts("report.csv"), "", (page) => page.until(() => page.has("img", /report/)), {
    [FILE]: file(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]), "image/png", "report.png"),
  }),
  "an artifact that cannot be read": stateOf(withArtifacts("report.csv"), "", (page) => {
    assert(answerIs(answers.outputsHeading)(page).has("link", "report.csv"));
  }, { [FILE]: refusal(403) }),
});
states([RunPanel], {
  "the panel of a selected succeeded node replaces the answer": stateOf(failedRun, "nodeId=id-extract", (page) => {
    assert(!page.has("region", answers.failureLabel("load")));
  }),
});
states([ReplaySlider], {
  "no answer during a replay": stateOf(failedRun, "at=2026-03-04T11:01:00Z", (page) => {
    assert(!page.has("region", answers.failureLabel("load")));
  }),
});
states([Containers], { "of a pod": stateOf(failedRun, "nodeId=id-load&nodePanelView=containers") });

states([RunPanel, ResumeForm, StepFields], {
  "a step that waits for a value": stateOf(waitingRun(approval("approve")), "nodeId=id-approve", (page) => {
    assertEquals(page.all("form").length, 1);
  }),
});
states([Approvals, ResumeForm], { "a step that waits": stateOf(waitingRun(approval("approve"))) });
states([ResumeDialog, StepFields], {
  "a step that waits for a value": stateOf(waitingRun(approval("approve")), "dialog=resume"),
});
states([ResumeDialog], {
  "no step waits": stateOf(succeededRun, "dialog=resume", (page) => {
    assert((page.within("dialog").one("button", words.resumeButton) as HTMLButtonElement).disabled);
  }),
  "many steps wait": stateOf(waitingRun(...Array.from({ length: 60 }, (_, i) => approval(`a${i}`))), "dialog=resume"),
});
const withParameters = sampleRun({
  phase: "Failed",
  spec: { arguments: { parameters: [{ name: "region", value: "eu" }] } },
  nodes: [sampleNode("load", "Failed")],
});
states([RetryDialog, ParameterFields, Dialog], {
  "with parameters": stateOf(withParameters, "dialog=retry", (page) => page.until(() => page.has("textbox", "region"))),
  "from a node": stateOf(withParameters, "dialog=retry&nodeId=id-load"),
  "a run that cannot be retried": stateOf(runningRun, "dialog=resubmit&sidePanel=retry"),
});
states(PlanTime, {
  "some durations are known": { view: <PlanTime estimate={{ millis: 5_000, unknown: 2 }} /> },
  "no duration is known": { view: <PlanTime estimate={undefined} />, check: (page) => assertEquals(page.text, "") },
});
states([ResubmitDialog, ParameterFields], {
  "with parameters": stateOf(
    withParameters,
    "dialog=resubmit",
    (page) => page.until(() => page.has("textbox", "region")),
  ),
});
states(StopDialog, {
  stop: stateOf(runningRun, "", async (page) => {
    await page.click(page.one("button", words.askStopButton));
    await page.find("dialog", runDialogs.stopTitle("hello"));
  }),
});
const archived = sampleRun({ metadata: { labels: { "workflows.argoproj.io/workflow-archiving-status": "Archived" } } });
states(WhereDialog, {
  "a run with an archived copy": stateOf(archived, "", async (page) => {
    await page.click(page.one("button", shared.deleteButton));
    await page.find("dialog", runDialogs.deleteTitle("hello"));
    assertEquals(page.changes, []);
  }),
});
states(ShareDialog, {
  "a run": stateOf(succeededRun, "tab=logs&dialog=share", (page) => {
    assert(!page.field(/link/i).value.includes("dialog"));
  }, { [LOG]: endedStream() }),
});
states([DoingRefusal], {
  "an action is refused": stateOf(runningRun, "", async (page) => {
    await page.click(page.one("button", words.suspendButton));
    await page.click(await page.find("button", words.dismissRefusalButton));
    assert(!page.has("alert"));
  }, { "PUT v1/workflows/argo/hello/suspend": refusal(403) }),
});
states([DoingUndo], {
  "an action can be undone": stateOf(runningRun, "", async (page) => {
    await page.click(page.one("button", words.suspendButton));
    await page.click(await page.find("button", shared.undoButton));
    await page.until(() => page.changes.length === 2);
    assertEquals(page.changes.map(({ path }) => path.split("/").at(-1)), ["suspend", "resume"]);
  }, {
    "PUT v1/workflows/argo/hello/suspend": runningRun,
    "PUT v1/workflows/argo/hello/resume": runningRun,
  }),
});
states([RunButtons], {
  "rights are missing": stateOf(runningRun, "", async (page) => {
    const button = () => page.one("button", words.askStopButton) as HTMLButtonElement;
    await page.until(() => button().disabled);
  }, {
    [`${RUN}/can`]: { lacks: { stop: [{ verb: "patch", group: "argoproj.io", resource: "workflows" }] } },
  }),
});
states(Minimap, { "many nodes": stateOf(many, "tab=graph") });
