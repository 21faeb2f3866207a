import { assertEquals } from "@std/assert";
import { ANNOTATION, API_VERSION } from "@tiphys/base/constants";
import type { KubeObject } from "@tiphys/kube";
import type { ChangeHandler } from "@tiphys/kube/informers";
import { ReportedStages } from "./reported_stages.ts";

/** A copy of reports that the test changes. */
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

Deno.test("stages: remain after their report is deleted, for its workflow and node only", () => {
  const copy = reports();
  const stages = new ReportedStages(copy, CLOCK);
  copy.tell("added", "n");
  assertEquals(stages.of(workflow("u"), "n"), []);
  copy.tell("modified", "n", "save_logs 1 2");
  copy.tell("modified", "n", "save_logs 3 4");
  copy.tell("deleted", "n", "save_logs 3 4");
  assertEquals(stages.of(workflow("u"), "n"), [SAVED]);
  assertEquals(stages.of(workflow("u"), "m"), []);
  assertEquals(stages.of(workflow("v"), "n"), []);
});

Deno.test("stages: are kept for a limited number of nodes, those with the latest reports", () => {
  const copy = reports();
  const stages = new ReportedStages(copy, CLOCK, 2);
  for (const name of ["a", "b", "a", "c"]) copy.tell("modified", name, "save_logs 3 4");
  assertEquals(["a", "b", "c"].map((name) => stages.of(workflow("u"), name)), [[SAVED], [], [SAVED]]);
});

Deno.test("stages: the last write of a report ends when the report is first seen", () => {
  const copy = reports();
  let now = 5;
  const stages = new ReportedStages(copy, { now: () => now });
  const ended = () => stages.of(workflow("u"), "n").map(({ name, ended }) => [name, ended]);
  copy.tell("modified", "n", "save_logs 3 4; patch_task_result 4 4");
  now = 9;
  copy.tell("modified", "n", "save_logs 3 4; patch_task_result 4 4");
  assertEquals(ended(), [["save_logs", 4], ["patch_task_result", 5]]);
  copy.tell("modified", "n", "patch_task_result 8 8");
  assertEquals(ended(), [["patch_task_result", 9]]);
  copy.tell("modified", "n", "patch_task_result 12 12");
  assertEquals(ended(), [["patch_task_result", 12]]);
});

Deno.test("stages: a report without valid stages takes no space", () => {
  const copy = reports();
  const stages = new ReportedStages(copy, CLOCK, 1);
  copy.tell("modified", "a", "save_logs 3 4");
  copy.tell("modified", "b");
  copy.tell("modified", "c", "nonsense");
  assertEquals(stages.of(workflow("u"), "a"), [SAVED]);
});
