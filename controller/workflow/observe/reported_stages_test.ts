import { assertEquals } from "@std/assert";
import { ANNOTATION, API_VERSION } from "@tiphys/base/constants";
import type { ChangeHandler, KubeObject } from "@tiphys/kube";
import { ReportedStages } from "./reported_stages.ts";

/** A copy of reports of which a test tells the changes. */
function reports() {
  const handlers: ChangeHandler<KubeObject>[] = [];
  const tell = (type: "added" | "modified" | "deleted", name: string, stages?: string, uid = "u") => {
    const metadata = {
      name,
      namespace: "ns",
      annotations: stages === undefined ? undefined : { [ANNOTATION.stageTimes]: stages },
      ownerReferences: [{ apiVersion: API_VERSION, kind: "Workflow", name: "w", uid }],
    };
    for (const handler of handlers) handler(type, { metadata });
  };
  return { tell, onChange: (handler: ChangeHandler<KubeObject>) => void handlers.push(handler) };
}

const workflow = (uid: string) => ({ metadata: { uid } });
const CLOCK = { now: () => 7 };
const SAVED = { name: "save_logs", began: 3, ended: 4, hasFailed: false } as const;

Deno.test("the stages that a report told of stay when it is deleted, as those of its workflow and node alone", () => {
  const copy = reports();
  const told = new ReportedStages(copy, CLOCK);
  copy.tell("added", "n");
  assertEquals(told.of(workflow("u"), "n"), []);
  copy.tell("modified", "n", "save_logs 1 2");
  copy.tell("modified", "n", "save_logs 3 4");
  copy.tell("deleted", "n", "save_logs 3 4");
  assertEquals(told.of(workflow("u"), "n"), [SAVED]);
  assertEquals(told.of(workflow("u"), "m"), []);
  assertEquals(told.of(workflow("v"), "n"), []);
});

Deno.test("stages are kept of so many nodes: of those that told last", () => {
  const copy = reports();
  const told = new ReportedStages(copy, CLOCK, 2);
  for (const name of ["a", "b", "a", "c"]) copy.tell("modified", name, "save_logs 3 4");
  assertEquals(["a", "b", "c"].map((name) => told.of(workflow("u"), name)), [[SAVED], [], [SAVED]]);
});

Deno.test("the last write of a report is over when it is first heard of", () => {
  const copy = reports();
  let now = 5;
  const told = new ReportedStages(copy, { now: () => now });
  const ended = () => told.of(workflow("u"), "n").map(({ name, ended }) => [name, ended]);
  copy.tell("modified", "n", "save_logs 3 4; patch_task_result 4 4");
  now = 9;
  copy.tell("modified", "n", "save_logs 3 4; patch_task_result 4 4");
  assertEquals(ended(), [["save_logs", 4], ["patch_task_result", 5]]);
  copy.tell("modified", "n", "patch_task_result 8 8");
  assertEquals(ended(), [["patch_task_result", 9]]);
  copy.tell("modified", "n", "patch_task_result 12 12");
  assertEquals(ended(), [["patch_task_result", 12]]);
});

Deno.test("a report without stages, or with what are none, takes no place", () => {
  const copy = reports();
  const told = new ReportedStages(copy, CLOCK, 1);
  copy.tell("modified", "a", "save_logs 3 4");
  copy.tell("modified", "b");
  copy.tell("modified", "c", "nonsense");
  assertEquals(told.of(workflow("u"), "a"), [SAVED]);
});
