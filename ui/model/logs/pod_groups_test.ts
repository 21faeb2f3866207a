import { assertEquals } from "@std/assert";
import { failedRun, runningRun, sampleNode, sampleRun } from "../../testing/objects.ts";
import { failedPodOf, podGroups, podsOf } from "./pod_groups.ts";

const groupsOf = (run: Parameters<typeof podsOf>[0]) =>
  podGroups(podsOf(run)).map(({ title, pods }) => [title, ...pods.map(({ label }) => label)]);

Deno.test("podGroups: lists failed pods first, the last of them on top, then each step", () => {
  const attempt = (index: number, phase: string) =>
    sampleNode(`flaky(${index})`, phase, { nodeFlag: { retried: true } });
  const run = sampleRun({
    phase: "Failed",
    nodes: [
      sampleNode("extract", "Succeeded"),
      attempt(0, "Failed"),
      attempt(1, "Succeeded"),
      sampleNode("load(0:eu(west))", "Succeeded"),
      sampleNode("load(1:us)", "Failed"),
      sampleNode("load(2:asia)", "Succeeded"),
      sampleNode("flaky(2)", "Omitted", { type: "Skipped" }),
    ],
  });
  assertEquals(groupsOf(run), [
    ["Failed (2)", "load(1:us)", "flaky(0)"],
    [undefined, "extract"],
    [undefined, "flaky(1)"],
    ["load", "load(0:eu(west))", "load(2:asia)"],
  ]);
  assertEquals(groupsOf(runningRun), [[undefined, "extract"], [undefined, "load"], [undefined, "report"]]);
});

Deno.test("failedPodOf: returns the pod that failed first, only of a run that failed", () => {
  assertEquals(failedPodOf(failedRun)?.displayName, "load");
  assertEquals(failedPodOf(runningRun), undefined);
  const nodes = [sampleNode("load", "Failed"), sampleNode("retry", "Running")];
  assertEquals(failedPodOf(sampleRun({ phase: "Running", nodes })), undefined);
});
