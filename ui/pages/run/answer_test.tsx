/** The explanation of a run in all its states. */
import { states } from "../../testing/states.tsx";
import { assert, assertEquals } from "@std/assert";
import { LogText } from "../../components/run/log_text.tsx";
import * as words from "../../model/text/en/run_page.ts";
import { failedRun, runningRun, sampleNode, sampleRun } from "../../testing/objects.ts";
import { endedStream, refusal } from "../../testing/server.ts";
import { AnswerPanel } from "./answer.tsx";
import { LogTail } from "./log_tail.tsx";
import * as answers from "../../model/text/en/answer.ts";
import * as logsTab from "../../model/text/en/logs_tab.ts";
import * as runDialogs from "../../model/text/en/run_dialogs.ts";
import { answerIs, RUN, stateOf, unstarted } from "../../testing/run_states.tsx";

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
