import { assertEquals, assertStrictEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { isSeen, stillUnderWay, underWayText } from "./under_way.ts";

const run = (name: string, resourceVersion: string, rest: Partial<Workflow> = {}): Workflow => ({
  metadata: { name, uid: name, resourceVersion },
  spec: {},
  ...rest,
});

Deno.test("stillUnderWay: an action is in progress until its run is seen in the version that the server returned, or a later one", () => {
  assertEquals(isSeen({ word: "stopping" }, run("a", "9")), false);
  assertEquals(isSeen({ word: "stopping", until: "10" }, run("a", "9")), false);
  assertEquals(isSeen({ word: "stopping", until: "10" }, run("a", "10")), true);
  assertEquals(isSeen({ word: "stopping", until: "9" }, run("a", "10")), true);
});

Deno.test("stillUnderWay: another change of the run does not end the action", () => {
  const all = new Map([["a", { word: "stopping", until: "12" }], ["b", { word: "stopping" }]]);
  assertStrictEquals(stillUnderWay(all, [run("a", "11"), run("b", "99")]), all);
  assertEquals([...stillUnderWay(all, [run("a", "12"), run("b", "99")]).keys()], ["b"]);
});

Deno.test("stillUnderWay: an action on a deleted run ends", () => {
  assertEquals(stillUnderWay(new Map([["a", { word: "deleting" }]]), []).size, 0);
});

Deno.test("underWayText: a run that was stopped by anybody is shown as stopping until it finishes", () => {
  assertEquals(underWayText(run("a", "1", { spec: { shutdown: "Stop" }, status: { phase: "Running" } })), "stopping…");
  assertEquals(underWayText(run("a", "1", { spec: { shutdown: "Terminate" } })), "terminating…");
  assertEquals(underWayText(run("a", "1", { spec: { shutdown: "Stop" }, status: { phase: "Failed" } })), undefined);
  assertEquals(underWayText(run("a", "1"), { word: "suspending" }), "suspending…");
  assertEquals(underWayText(run("a", "1")), undefined);
});
