import { assertEquals, assertStrictEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { actionInProgressText, dropVisibleActions, isVisibleIn } from "./actions_in_progress.ts";

const run = (name: string, resourceVersion: string, fields: Partial<Workflow> = {}): Workflow => ({
  metadata: { name, uid: name, resourceVersion },
  spec: {},
  ...fields,
});

Deno.test("dropVisibleActions: an action is in progress until its run is seen in the version that the server returned, or a later one", () => {
  assertEquals(isVisibleIn({ word: "stopping" }, run("a", "9")), false);
  assertEquals(isVisibleIn({ word: "stopping", until: "10" }, run("a", "9")), false);
  assertEquals(isVisibleIn({ word: "stopping", until: "10" }, run("a", "10")), true);
  assertEquals(isVisibleIn({ word: "stopping", until: "9" }, run("a", "10")), true);
});

Deno.test("dropVisibleActions: another change of the run does not end the action", () => {
  const all = new Map([["a", { word: "stopping", until: "12" }], ["b", { word: "stopping" }]]);
  assertStrictEquals(dropVisibleActions(all, [run("a", "11"), run("b", "99")]), all);
  assertEquals([...dropVisibleActions(all, [run("a", "12"), run("b", "99")]).keys()], ["b"]);
});

Deno.test("dropVisibleActions: an action on a deleted run ends", () => {
  assertEquals(dropVisibleActions(new Map([["a", { word: "deleting" }]]), []).size, 0);
});

Deno.test("actionInProgressText: a run that was stopped by anybody is shown as stopping until it finishes", () => {
  assertEquals(
    actionInProgressText(run("a", "1", { spec: { shutdown: "Stop" }, status: { phase: "Running" } })),
    "stopping…",
  );
  assertEquals(actionInProgressText(run("a", "1", { spec: { shutdown: "Terminate" } })), "terminating…");
  assertEquals(
    actionInProgressText(run("a", "1", { spec: { shutdown: "Stop" }, status: { phase: "Failed" } })),
    undefined,
  );
  assertEquals(actionInProgressText(run("a", "1"), { word: "suspending" }), "suspending…");
  assertEquals(actionInProgressText(run("a", "1")), undefined);
});
