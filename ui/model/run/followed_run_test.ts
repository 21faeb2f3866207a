import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { afterAnswer, afterChange, type FollowedRun, UNKNOWN_RUN } from "./followed_run.ts";

function run(uid: string, resourceVersion = "1", labels: Readonly<Record<string, string>> = {}): Workflow {
  return { metadata: { name: "etl", uid, resourceVersion, labels }, spec: {} } as unknown as Workflow;
}

const ARCHIVED = { "workflows.argoproj.io/workflow-archiving-status": "Persisted" };
const told = ({ run, isDeleted, hasNamesake }: FollowedRun) => [run?.metadata.uid, isDeleted, hasNamesake];
const HELD = afterAnswer(UNKNOWN_RUN, run("a"));

Deno.test("a run that is there no more when it is asked for anew was deleted, and stays as it was", () => {
  assertEquals(told(afterAnswer(HELD, undefined)), ["a", true, false]);
});

Deno.test("a run of the same name never takes the place of the one that is shown", () => {
  assertEquals(told(afterAnswer(HELD, run("b"))), ["a", true, true]);
  assertEquals(told(afterChange(HELD, { type: "ADDED", object: run("b") })), ["a", false, true]);
});

Deno.test("a run of the archive is not deleted because another one has its name", () => {
  const held = afterAnswer(UNKNOWN_RUN, run("a", "1", ARCHIVED));
  assertEquals(told(afterAnswer(held, run("b"))), ["a", false, true]);
});

Deno.test("an older run of the archive is no namesake in the cluster", () => {
  assertEquals(told(afterAnswer(HELD, run("older", "1", ARCHIVED))), ["a", true, false]);
});

Deno.test("that a run was deleted is told also where the archive answers for it by then", () => {
  const gone = afterAnswer(HELD, run("a", "3", ARCHIVED));
  assertEquals([...told(gone), gone.run?.metadata.resourceVersion], [
    "a",
    true,
    false,
    HELD.run?.metadata.resourceVersion,
  ]);
  assertEquals(told(afterAnswer(gone, run("a", "3", ARCHIVED))), ["a", false, false]);
});

Deno.test("a change that is known already changes nothing, a newer one takes its place, and a deletion is kept", () => {
  assertEquals(afterChange(HELD, { type: "MODIFIED", object: run("a") }), HELD);
  assertEquals(afterChange(HELD, { type: "MODIFIED", object: run("a", "2") }).run?.metadata.resourceVersion, "2");
  const gone = afterChange(HELD, { type: "DELETED", object: run("a", "2") });
  assertEquals(told(gone), ["a", true, false]);
  assertEquals(told(afterAnswer(gone, run("a", "3", ARCHIVED))), ["a", false, false]);
});
