import { assertEquals } from "@std/assert";
import { grouped, plural } from "./en.ts";
import * as artifact from "./en/artifact_dialog.ts";
import * as bulk from "./en/after_list.ts";
import * as graph from "./en/graph.ts";
import * as list from "./en/runs_page.ts";
import * as reports from "./en/reports_page.ts";
import * as shared from "./en/shared.ts";
import * as steps from "./en/step_grid.ts";
import * as whatIf from "./en/critical_path.ts";

Deno.test("plural: uses the singular for 1, and the plural for 0 and more", () => {
  assertEquals([0, 1, 2, 21].map((count) => plural(count, "node", "nodes")), ["nodes", "node", "nodes", "nodes"]);
});

Deno.test("grouped: separates thousands by commas in any browser language", () => {
  assertEquals([999, 12_000].map(grouped), ["999", "12,000"]);
});

Deno.test("texts: a count of 1 uses the singular", () => {
  assertEquals([
    bulk.stopRuns(1),
    bulk.stopConsequence(1),
    graph.graphLabel(1).split(".")[0],
    reports.ofSomeRuns("2m", 1),
    steps.aboutGrid(1, 1, 1),
    artifact.packedFiles(1, true),
    whatIf.gainOfLongest(1),
  ], [
    "Stop 1 run",
    "Up to 1 pod ends; exit handlers still run.",
    "Graph, 1 part",
    "2m, of 1 run",
    "The last run. Flaky: failed, then passed when retried. 1 with thousands of pods is not shown. 1 was deleted.",
    "An archive of one file",
    "The gain is shown for the longest.",
  ]);
});

Deno.test("texts: counts of thousands have grouped digits", () => {
  assertEquals([
    bulk.deleteRuns(1_200),
    bulk.progressText(999, 1_200),
    bulk.terminateConsequence(2_000),
    list.windowShown(9_501, 10_000, 12_000),
    shared.andMore(1_500),
    steps.aboutGrid(30, 2, 3),
  ], [
    "Delete 1,200 runs",
    "999 of 1,200",
    "Up to 2,000 pods end at once; exit handlers do not run.",
    "9,501 to 10,000 of 12,000",
    "and 1,500 more",
    "The last 30 runs. Flaky: failed, then passed when retried. 2 with thousands of pods are not shown. 3 were deleted.",
  ]);
});
