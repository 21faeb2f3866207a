/** The panel of a node in all its states. */
import { states } from "../../testing/states.tsx";
import { assert } from "@std/assert";
import { Containers, NodePanel, ReasonList } from "../../components/run/node_panel.tsx";
import * as words from "../../model/text/en/run_page.ts";
import { failedRun, runningRun } from "../../testing/objects.ts";
import { RunPanel } from "./run_panel.tsx";
import * as answers from "../../model/text/en/answer.ts";
import { LONG, longNamed, RUN, stateOf } from "../../testing/run_states.tsx";

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

states([RunPanel], {
  "the panel of a selected succeeded node replaces the answer": stateOf(failedRun, "nodeId=id-extract", (page) => {
    assert(!page.has("region", answers.failureLabel("load")));
  }),
});

states([Containers], { "of a pod": stateOf(failedRun, "nodeId=id-load&nodePanelView=containers") });
