/** The times, costs and details of a run in all their states. */
import { states } from "../../testing/states.tsx";
import { assert } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { Facts } from "../../components/run/facts.tsx";
import { FlameView } from "../../components/run/flame_view.tsx";
import { RunCost } from "../../components/run/run_cost.tsx";
import { RunDetails } from "../../components/run/run_details.tsx";
import { failedRun, runningRun, sampleRun, succeededRun } from "../../testing/objects.ts";
import { INFO } from "../../testing/server.ts";
import { CriticalPathPanel } from "./critical_path_panel.tsx";
import { ReplaySlider } from "./replay_slider.tsx";
import { RunAdvice } from "./run_advice.tsx";
import { RunDetailsPanel } from "./run_details_panel.tsx";
import * as answers from "../../model/text/en/answer.ts";
import { LONG, stateOf, unstarted } from "../../testing/run_states.tsx";

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

states([ReplaySlider], {
  "no answer during a replay": stateOf(failedRun, "at=2026-03-04T11:01:00Z", (page) => {
    assert(!page.has("region", answers.failureLabel("load")));
  }),
});
