/** The page of a run: its states, and the effects of buttons and keys on every tab. */
import { type Screen, type State, states } from "../../testing/states.tsx";
import { assert, assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { TABS } from "../../model/run/run_view.ts";
import * as nodeWords from "../../model/text/en/node_panel.ts";
import * as words from "../../model/text/en/run_page.ts";
import * as runDialogs from "../../model/text/en/run_dialogs.ts";
import * as resume from "../../model/text/en/resume_form.ts";
import * as share from "../../model/text/en/share_dialog.ts";
import * as shared from "../../model/text/en/shared.ts";
import { Shell } from "../../shell.tsx";
import { approval, failedRun, runningRun, sampleNode, succeededRun, waitingRun } from "../../testing/objects.ts";
import { endedStream, hangs, refusal } from "../../testing/server.ts";
import { RunPage } from "./run_page.tsx";

const RUN = "GET v1/workflows/argo/hello";
const FAILED = {
  [RUN]: failedRun,
  [`${RUN}/log`]: endedStream({ content: "two rows have no id", podName: "hello-load" }),
  "GET v1/workflows/argo": { metadata: {}, items: [failedRun] },
};
const TITLES = {
  graph: words.graphTab,
  timeline: words.timelineTab,
  tree: words.treeTab,
  logs: words.logsTab,
  events: words.eventsTab,
  manifest: words.manifestTab,
  artifacts: words.artifactsTab,
  compare: words.compareTab,
} as const;
const LOAD = "id-load";

/** The page of a failed run at an address, with an action of the test. */
function at(query: string, check: State["check"], answers: State["answers"] = FAILED): State {
  return { view: <Shell />, at: `workflows/argo/hello${query && `?${query}`}`, answers, check };
}

const selectedTab = (page: Screen) =>
  page.all("tab").find((tab) => tab.id.startsWith("tab-") && tab.getAttribute("aria-selected") === "true")?.textContent;

async function opens(page: Screen, tab: keyof typeof TITLES): Promise<void> {
  await page.until(() => selectedTab(page) === TITLES[tab], `the tab ${tab}`);
  await page.settled();
}

/** Actions on the page and their effects; `node` is the selected node. */
const DEEDS: Readonly<
  Record<string, { readonly node?: string; readonly run: (page: Screen, tab: keyof typeof TITLES) => Promise<void> }>
> = {
  "the log link of the failure shows the log of the failed node": {
    async run(page) {
      await page.click(page.one("link", shared.logsButton));
      await opens(page, "logs");
      assertEquals(podOfLog(page), LOAD);
    },
  },
  "the key l shows the log of the failed node": {
    async run(page) {
      await page.press("l", document.body);
      await opens(page, "logs");
      assertEquals(podOfLog(page), LOAD);
    },
  },
  "the key l shows the log of the selected node": {
    node: LOAD,
    async run(page) {
      await page.press("l", document.body);
      await opens(page, "logs");
      assertEquals(podOfLog(page), LOAD);
    },
  },
  "the Logs button of the panel shows the log of the selected node": {
    node: LOAD,
    async run(page) {
      await page.click(page.one("button", shared.logsButton));
      await opens(page, "logs");
      assertEquals(podOfLog(page), LOAD);
    },
  },
  "the Manifest button of the panel shows the manifest": {
    node: LOAD,
    async run(page) {
      await page.click(page.one("button", words.manifestTab));
      await opens(page, "manifest");
    },
  },
  "the Events button of the panel shows the events": {
    node: LOAD,
    async run(page) {
      await page.click(page.one("button", words.eventsTab));
      await opens(page, "events");
    },
  },
  "Close and Escape close the panel and keep the tab": {
    node: LOAD,
    async run(page, tab) {
      await page.click(page.one("button", nodeWords.closeButton));
      assert(!page.has("complementary", nodeWords.panelLabel("load")));
      await page.click(page.one("button", words.nextFailedButton));
      await page.find("complementary", nodeWords.panelLabel("load"));
      await page.press("Escape", document.body);
      assert(!page.has("complementary", nodeWords.panelLabel("load")));
      await opens(page, tab);
    },
  },
  "the keys [ and ] select the failed node": {
    async run(page) {
      await page.press("]", document.body);
      await page.find("complementary", nodeWords.panelLabel("load"));
      await page.press("Escape", document.body);
      await page.press("[", document.body);
      await page.find("complementary", nodeWords.panelLabel("load"));
    },
  },
  "number keys show the tabs": {
    async run(page) {
      for (const [i, tab] of TABS.entries()) {
        await page.press(String(i + 1), document.body);
        await opens(page, tab);
      }
    },
  },
  "Retry, Resubmit and Share open dialogs, and closing them keeps the tab": {
    async run(page, tab) {
      const buttons = [
        [() => page.one("button", words.askRetryButton), runDialogs.retryHeading("hello")],
        [() => page.one("button", words.askResubmitButton), runDialogs.resubmitTitle("hello")],
        [() => page.one("link", words.shareButton), share.title("hello")],
      ] as const;
      for (const [button, title] of buttons) {
        await page.click(button());
        await page.find("dialog", title);
        await page.settled();
        await page.press("Escape", document.body);
        await page.until(() => !page.has("dialog"));
        await opens(page, tab);
      }
    },
  },
  "the key r opens the retry dialog": {
    async run(page) {
      await page.press("r", document.body);
      await page.find("dialog", runDialogs.retryHeading("hello"));
      await page.settled();
    },
  },
  "the key c and the button show the critical path": {
    async run(page) {
      await page.press("c", document.body);
      await page.until(() => page.one("button", words.criticalPathToggle).getAttribute("aria-pressed") === "true");
      await page.settled();
      await page.click(page.one("button", words.criticalPathToggle));
      await page.until(() => !page.address.includes("show="));
    },
  },
  "Details, Cost and Replay open and close": {
    async run(page, tab) {
      for (const name of [words.detailsToggle, shared.costField, words.replayToggle]) {
        const isPressed = () => page.one("button", name).getAttribute("aria-pressed");
        await page.click(page.one("button", name));
        await page.until(() => isPressed() === "true", name);
        await page.settled();
        await opens(page, tab);
        await page.click(page.one("button", name));
        await page.until(() => isPressed() === "false", name);
      }
    },
  },
};

function podOfLog(page: Screen): string {
  return page.field(/pod/i).value;
}

/** Addresses with their tab: one for each tab, the short one, and bookmarks of Argo's page. */
const ADDRESSES: Readonly<Record<string, keyof typeof TITLES>> = {
  "": "graph",
  ...Object.fromEntries(TABS.map((tab) => [`tab=${tab}`, tab])),
  "tab=workflow&sidePanel=logs:id-load:main": "logs",
  "sidePanel=events:id-load": "events",
};

for (const [deed, { node, run }] of Object.entries(DEEDS)) {
  for (const [address, tab] of Object.entries(ADDRESSES)) {
    const query = [address, node && `nodeId=${node}`].filter(Boolean).join("&");
    states(RunPage, { [`at ?${address}: ${deed}`]: { ...at(query, (page) => run(page, tab)), withoutAxe: true } });
  }
}

const FAILED_ONLY: State["check"] = async (page) => {
  await page.press("f", document.body);
  await page.until(() => page.one("button", words.onlyFailedToggle).getAttribute("aria-pressed") === "true");
};

states(RunPage, {
  loading: at("", (page) => assert(page.text.includes("hello")), { [RUN]: hangs }),
  "not found": at("", (page) => assert(page.has("alert")), { [RUN]: refusal(404) }),
  forbidden: at("", (page) => assert(page.has("alert")), { [RUN]: refusal(403) }),
  "the server fails": at("", (page) => assert(page.has("alert")), { [RUN]: refusal(400) }),
  running: at("", (page) => assert(page.has("button", words.askStopButton)), { [RUN]: runningRun }),
  succeeded: at("", (page) => assert(page.has("button", words.askRetryButton)), { [RUN]: succeededRun }),
  "failed, with the key f": at("", FAILED_ONLY),
  ...Object.fromEntries(TABS.map((tab) => [`failed, at the tab ${tab}`, at(`tab=${tab}`, (page) => opens(page, tab))])),
  "failed, with the panel of a node": at(`nodeId=${LOAD}`, (page) => {
    assert(page.has("complementary", nodeWords.panelLabel("load")));
  }),
});

const gate = sampleNode("gate", "Running", { type: "Suspend", templateName: "gate" });
const VERBS = ["set", "resume", "suspend", "stop", "terminate"];
/** A server that accepts actions and returns the run. */
const acts = (run: Workflow) => ({
  [RUN]: run,
  ...Object.fromEntries(VERBS.map((verb) => [`PUT v1/workflows/argo/hello/${verb}`, run])),
});
/** The requested changes with verb, selector and outputs. */
const changesOf = (page: Screen) =>
  page.changes.map(({ path, body }) => {
    const { nodeFieldSelector, outputParameters } = body as Record<string, string | undefined>;
    return [path.split("/").at(-1), nodeFieldSelector, outputParameters].filter(Boolean).join(" ");
  });
const held = (...nodes: readonly NodeStatus[]) => {
  const run = waitingRun(...nodes);
  return { ...run, spec: { ...run.spec, suspend: true } };
};
const waits = (run: Workflow, check: State["check"], query = "") => at(query, check, acts(run));

states(RunPage, {
  "waits for an answer: Resume opens a form, and sends nothing": waits(
    waitingRun(approval("approve")),
    async (page) => {
      await page.click(page.one("button", words.askResumeButton));
      await page.find("dialog", resume.dialogTitle("hello"));
      assertEquals(changesOf(page), []);
    },
  ),
  "waits for an answer: the dialog sends the chosen value, then resumes this step alone": waits(
    waitingRun(approval("approve")),
    async (page) => {
      await page.find("dialog", resume.dialogTitle("hello"));
      assert(page.one("dialog").textContent?.includes("Deploy to production?"));
      await page.type(page.within("dialog").field("answer"), "YES");
      await page.click(page.within("dialog").one("button", resume.resumeRunButton));
      await page.until(() => changesOf(page).length === 2);
      assertEquals(changesOf(page), ['set id=id-approve {"answer":"YES"}', "resume id=id-approve"]);
      await page.until(() => !page.has("dialog"));
    },
    "dialog=resume",
  ),
  "waits for an answer: the form is where the page reports it": waits(
    waitingRun(approval("approve")),
    async (page) => {
      const form = page.within("form", resume.formLabel("approve"));
      assert(form.text.includes("Deploy to production?"));
      await page.type(form.field("answer"), "YES");
      await page.click(form.one("button", resume.resumeButton));
      await page.until(() => changesOf(page).length === 2);
      assertEquals(changesOf(page), ['set id=id-approve {"answer":"YES"}', "resume id=id-approve"]);
    },
  ),
  ...Object.fromEntries(
    ([["a default", undefined], ["no default", {}]] as const).map(([which, inputs]) => [
      `waits for an answer that has ${which}: it must be chosen`,
      waits(waitingRun({ ...approval("approve"), ...(inputs && { inputs }) }), async (page) => {
        const form = page.within("form", resume.formLabel("approve"));
        const button = () => form.one("button", resume.resumeButton) as HTMLButtonElement;
        assert(button().disabled);
        assertEquals(form.field("answer").value, "");
        await page.click(button());
        assertEquals(changesOf(page), []);
        await page.type(form.field("answer"), "NO");
        await page.click(button());
        await page.until(() => changesOf(page).length === 2);
        assertEquals(changesOf(page)[0], 'set id=id-approve {"answer":"NO"}');
      }),
    ]),
  ),
  "suspended with two waiting steps: all are resumed in order": waits(
    held(approval("approve"), gate),
    async (page) => {
      await page.click(page.one("button", words.askResumeButton));
      await page.find("dialog", resume.dialogTitle("hello"));
      const dialog = page.within("dialog");
      const confirm = () => dialog.one("button", resume.resumeRunButton) as HTMLButtonElement;
      assert(confirm().disabled);
      await page.click(dialog.one("button", resume.useDefaultButton));
      await page.click(confirm());
      await page.until(() => changesOf(page).length === 4);
      assertEquals(changesOf(page), [
        'set id=id-approve {"answer":"NO"}',
        "resume id=id-approve",
        "resume id=id-gate",
        "resume",
      ]);
    },
  ),
  "suspended: Resume acts at once": waits(held(), async (page) => {
    await page.click(page.one("button", words.resumeButton));
    await page.until(() => changesOf(page).length === 1);
    assertEquals(changesOf(page), ["resume"]);
  }),
  "suspended while a step waits: Undo resumes no step": waits(
    waitingRun(gate),
    async (page) => {
      await page.click(page.one("button", words.suspendButton));
      await page.click(await page.find("button", shared.undoButton));
      await page.find("dialog", resume.dialogTitle("hello"));
      assertEquals(changesOf(page), ["suspend"]);
    },
  ),
  "stopped: Stop and Terminate need confirmation": at("", async (page) => {
    const verbs = [
      [words.askStopButton, runDialogs.stopTitle("hello"), runDialogs.stopButton, "stop"],
      [words.askTerminateButton, runDialogs.terminateTitle("hello"), runDialogs.terminateButton, "terminate"],
    ] as const;
    for (const [i, [button, title, confirm, verb]] of verbs.entries()) {
      await page.click(page.one("button", button));
      await page.find("dialog", title);
      await page.click(page.within("dialog").one("button", shared.cancelButton));
      await page.until(() => !page.has("dialog"));
      assertEquals(changesOf(page).length, i);
      await page.click(page.one("button", button));
      await page.find("dialog", title);
      await page.click(page.within("dialog").one("button", confirm));
      await page.until(() => changesOf(page)[i] === verb);
      await page.settled();
    }
  }, acts(runningRun)),
  "more waiting steps than forms: a link shows all": waits(
    waitingRun(...["a", "b", "c", "d", "e"].map((name) => approval(name))),
    async (page) => {
      assertEquals(page.all("form").length, 3);
      await page.click(page.one("link", shared.andMore(2)));
      await page.find("dialog", resume.dialogTitle("hello"));
    },
  ),
});
