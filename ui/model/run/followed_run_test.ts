import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { afterAnswer, afterChange, type FollowedRun, UNKNOWN_RUN } from "./followed_run.ts";

function run(uid: string, resourceVersion = "1", labels: Readonly<Record<string, string>> = {}): Workflow {
  return { metadata: { name: "etl", uid, resourceVersion, labels }, spec: {} } as unknown as Workflow;
}

const ARCHIVED = { "workflows.argoproj.io/workflow-archiving-status": "Persisted" };
const told = ({ run, isDeleted, hasNamesake }: FollowedRun) => [run?.metadata.uid, isDeleted, hasNamesake];
const HELD = afterAnswer(UNKNOWN_RUN, run("a"));

Deno.test("afterAnswer: a run that is no longer found was deleted, and keeps its last state", () => {
  assertEquals(told(afterAnswer(HELD, undefined)), ["a", true, false]);
});

Deno.test("afterAnswer: another run of the same name never replaces the shown one", () => {
  assertEquals(told(afterAnswer(HELD, run("b"))), ["a", true, true]);
  assertEquals(told(afterChange(HELD, { type: "ADDED", object: run("b") })), ["a", false, true]);
});

Deno.test("afterAnswer: an archived run is not deleted when another run has its name", () => {
  const held = afterAnswer(UNKNOWN_RUN, run("a", "1", ARCHIVED));
  assertEquals(told(afterAnswer(held, run("b"))), ["a", false, true]);
});

Deno.test("afterAnswer: an older archived run is not another run in the cluster", () => {
  assertEquals(told(afterAnswer(HELD, run("older", "1", ARCHIVED))), ["a", true, false]);
});

Deno.test("afterAnswer: reports the deletion even if the archive already has the run", () => {
  const gone = afterAnswer(HELD, run("a", "3", ARCHIVED));
  assertEquals([...told(gone), gone.run?.metadata.resourceVersion], [
    "a",
    true,
    false,
    HELD.run?.metadata.resourceVersion,
  ]);
  assertEquals(told(afterAnswer(gone, run("a", "3", ARCHIVED))), ["a", false, false]);
});

Deno.test("afterChange: ignores known changes, applies newer ones, and keeps a deletion", () => {
  assertEquals(afterChange(HELD, { type: "MODIFIED", object: run("a") }), HELD);
  assertEquals(afterChange(HELD, { type: "MODIFIED", object: run("a", "2") }).run?.metadata.resourceVersion, "2");
  const gone = afterChange(HELD, { type: "DELETED", object: run("a", "2") });
  assertEquals(told(gone), ["a", true, false]);
  assertEquals(told(afterAnswer(gone, run("a", "3", ARCHIVED))), ["a", false, false]);
});
