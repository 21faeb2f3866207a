/** The logs of a run in all their states. */
import { states } from "../../testing/states.tsx";
import { assert, assertEquals } from "@std/assert";
import { LogViewer } from "../../components/run/log_viewer.tsx";
import { failedRun, runningRun } from "../../testing/objects.ts";
import { endedStream, hangs, refusal, stream } from "../../testing/server.ts";
import { LogsTab } from "./logs_tab.tsx";
import * as logsTab from "../../model/text/en/logs_tab.ts";
import { LOG, stateOf } from "../../testing/run_states.tsx";

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
