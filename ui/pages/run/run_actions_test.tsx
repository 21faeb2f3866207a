/** The actions of a run: buttons, menus, dialogs, refusals, in all their states. */
import { states } from "../../testing/states.tsx";
import { assert, assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { Dialog } from "../../components/run/dialog.tsx";
import { ParameterFields, PlanTime, RetryDialog } from "../../components/run/retry_dialog.tsx";
import * as words from "../../model/text/en/run_page.ts";
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
import { endedStream, refusal } from "../../testing/server.ts";
import { DoingRefusal, DoingUndo, RunButtons } from "./run_actions.tsx";
import { ResubmitDialog, StopDialog, WhereDialog } from "./run_dialogs.tsx";
import * as runDialogs from "../../model/text/en/run_dialogs.ts";
import * as shared from "../../model/text/en/shared.ts";
import { LOG, RUN, stateOf } from "../../testing/run_states.tsx";

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
        assertEquals(buttons.filter((candidate) => !candidate.closest(".menu")).map(({ textContent }) => textContent), [
          button,
        ]);
        assert(buttons.length > 3);
      }),
      withoutAxe: true,
    },
  ])),
);

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
