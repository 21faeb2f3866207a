/** The list of runs: its states, and actions on the selected runs. */
import { type Screen, type State, states } from "../testing/states.tsx";
import { assert, assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { RowMenu } from "../components/row_menu.tsx";
import * as afterList from "../model/text/en/after_list.ts";
import * as table from "../model/text/en/runs_page.ts";
import * as shared from "../model/text/en/shared.ts";
import { RunTable } from "../components/run_table.tsx";
import { Shell } from "../shell.tsx";
import {
  approval,
  failedRun,
  runningRun,
  sampleNode,
  sampleRun,
  succeededRun,
  waitingRun,
} from "../testing/objects.ts";
import { hangs, INFO, refusal } from "../testing/server.ts";
import { Activity } from "./activity.tsx";
import { BulkActions } from "./bulk_actions.tsx";
import { RunsPage } from "./runs_page.tsx";

const LIST = "GET v1/workflows/argo";
const listed = (...items: readonly Workflow[]) => ({ metadata: { resourceVersion: "1" }, items });

/** The list at an address. */
function at(query: string, list: unknown, check?: State["check"], answers: State["answers"] = {}): State {
  return { view: <Shell />, at: `workflows/argo${query && `?${query}`}`, answers: { [LIST]: list, ...answers }, check };
}

const named = (run: Workflow, name: string): Workflow => ({
  ...run,
  metadata: { ...run.metadata, name, uid: `uid-${name}` },
});
const longName = "a".repeat(63);

states(RunsPage, {
  loading: at("", hangs),
  empty: at("", listed()),
  "empty behind a filter": at("phase=Failed", listed()),
  forbidden: at("", refusal(403), (page) => assert(page.has("alert"))),
  "not logged in": at("", refusal(401), (page) => assert(page.has("alert"))),
  "the server fails": at("", refusal(400), (page) => assert(page.has("alert"))),
  "runs in several phases, one with a long name": at(
    "",
    listed(failedRun, named(runningRun, "running"), named(succeededRun, longName)),
    (page) => assert(page.has("link", longName)),
  ),
  "no activity if the server cannot count": at(
    "",
    listed(failedRun),
    (page) => assert(!page.has("region", afterList.activityLabel)),
    {
      "GET v1/info": { ...INFO, extensions: [] },
    },
  ),
  "many runs": at(
    "",
    {
      ...listed(...Array.from({ length: 200 }, (_, i) => named(succeededRun, `run-${i}`))),
      metadata: { resourceVersion: "1", remainingItemCount: "4800" },
    },
    (page) => assert(page.has("link", "run-0")),
  ),
});

const gate = sampleNode("gate", "Running", { type: "Suspend", templateName: "gate" });
const runs = {
  asks: named(waitingRun(approval("approve")), "asks"),
  gated: named(waitingRun(gate), "gated"),
  held: named(sampleRun({ phase: "Running", spec: { suspend: true } }), "held"),
};
const each = (answers: (run: Workflow, path: string) => State["answers"]) =>
  Object.assign({}, ...Object.values(runs).map((run) => answers(run, `v1/workflows/argo/${run.metadata.name}`)));
const SERVED = each((run, path) => ({
  [`GET ${path}`]: run,
  [`PUT ${path}/resume`]: run,
  [`PUT ${path}/suspend`]: run,
}));
const changesOf = (page: Screen) =>
  page.changes.map(({ path, body }) =>
    [...path.split("/").slice(-2), (body as Record<string, string>).nodeFieldSelector].filter(Boolean).join(" ")
  ).toSorted();

async function select(page: Screen): Promise<void> {
  for (const box of page.within("table").all("checkbox").slice(1)) await page.click(box);
}

states(BulkActions, {
  "resume: needs confirmation, and leaves a run unchanged if a step needs a value": at(
    "",
    listed(...Object.values(runs)),
    async (page) => {
      await select(page);
      await page.click(page.one("button", afterList.resumeButton));
      assertEquals(changesOf(page), []);
      await page.click(page.within("dialog").one("button", afterList.resumeRuns(3)));
      await page.until(() => page.text.includes(afterList.needsAnswer));
      assertEquals(changesOf(page), ["gated resume id=id-gate", "held resume"]);
    },
    SERVED,
  ),
  "suspend: Undo resumes no waiting step": at(
    "",
    listed(runs.asks, runs.gated),
    async (page) => {
      await select(page);
      await page.click(page.one("button", afterList.suspendButton));
      await page.click(await page.find("button", shared.undoButton));
      await page.until(() => page.text.includes(afterList.hasWaitingStep));
      assertEquals(changesOf(page), ["asks suspend", "gated suspend"]);
    },
    SERVED,
  ),
});

const ACTIVITY = {
  spans: { 23: { Failed: 2, Succeeded: 96, Running: 1 }, 3: { Succeeded: 2 } },
};
const COUNTED = { "GET tiphys/v1/workflows/argo/activity": ACTIVITY };
states(Activity, {
  "bars and totals filter the list, and the second click removes the filter": at(
    "label=team%3Dred&phase=Running",
    listed(failedRun),
    async (page) => {
      const strip = page.within("region", afterList.activityLabel);
      assert(strip.text.includes(afterList.succeededShare(98)), strip.text);
      const [request] = page.requests.filter(({ path }) => path.endsWith("/activity"));
      assertEquals(request!.query.get("listOptions.labelSelector"), "team=red");
      const failed = strip.one("link", afterList.totalLabel(2, "Failed"));
      await page.click(failed);
      assert(/phase=Failed/.test(page.address) && /startedFrom=2026-03-0/.test(page.address), page.address);
      await page.click(strip.one("link", afterList.totalLabel(2, "Failed")));
      assertEquals(page.address, "workflows/argo?label=team%3Dred");
      const [, bar] = strip.all("link", (name) => name.includes(" to "));
      await page.click(bar!);
      assert(
        /startedFrom=2026-03-04T1/.test(page.address) && /startedUntil=2026-03-04T1/.test(page.address),
        page.address,
      );
      await page.click(strip.one("link", afterList.periods["7d"]));
      assert(/activity=7d/.test(page.address), page.address);
    },
    COUNTED,
  ),
  "arrow keys move between bars": at("", listed(failedRun), async (page) => {
    const [first, last] = page.within("region", afterList.activityLabel).all("link", (name) => name.includes(" to "));
    assertEquals([first!.tabIndex, last!.tabIndex], [-1, 0]);
    last!.focus();
    await page.press("ArrowLeft");
    assertEquals(document.activeElement, first);
  }, COUNTED),
  "without runs in the period": at(
    "",
    listed(failedRun),
    (page) => assert(page.text.includes(afterList.nothingStarted)),
  ),
  "a server that cannot count": at("", listed(failedRun), (page) => assert(page.has("link", failedRun.metadata.name)), {
    "GET tiphys/v1/workflows/argo/activity": refusal(500),
  }),
});

states(RowMenu, {
  "offers what the phase allows, and acts on its run only": at(
    "",
    listed(named(failedRun, "broken"), named(runningRun, "busy")),
    async (page) => {
      await page.click(page.one("button", table.menuButton("broken")));
      await page.find("link", afterList.logLink);
      assert(!page.has("button", afterList.stopButton));
      await page.press("Escape");
      assert(!page.has("link", afterList.logLink));
      assertEquals(document.activeElement, page.one("button", table.menuButton("broken")));
      await page.click(page.one("button", table.menuButton("busy")));
      assert(!page.has("button", afterList.retryButton));
      await page.click(page.one("button", afterList.stopButton));
      await page.click(await page.find("button", afterList.stopRuns(1)));
      await page.settled();
      assertEquals(page.changes.map(({ path }) => path), ["v1/workflows/argo/busy/stop"]);
    },
    { "PUT v1/workflows/argo/busy/stop": named(runningRun, "busy") },
  ),
});

states(RunTable, {
  "the message names the failed step, and the progress of a succeeded run is complete": at(
    "",
    listed(
      sampleRun({
        name: "broken",
        phase: "Failed",
        status: { message: "child 'broken-1 (load: OOMKilled (exit code 137))' failed" },
      }),
      sampleRun({ name: "fine", status: { progress: "1/4" } }),
    ),
    (page) => {
      const { text } = page.within("table");
      assert(text.includes("load: killed: out of memory") && text.includes(table.progressDone), text);
      assert(!text.includes("1/4") && !text.includes("broken-1"), text);
    },
  ),
  "columns of the source and the creator": at(
    "cols=source,creator",
    listed(sampleRun({
      metadata: {
        name: "hello",
        labels: { "workflows.argoproj.io/cron-workflow": "nightly", "workflows.argoproj.io/creator": "ada" },
      },
    })),
    (page) => {
      const row = page.within("table").all("row")[1]?.textContent ?? "";
      assert(row.includes("nightly") && row.includes("ada"), row);
    },
  ),
});
