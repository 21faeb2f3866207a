import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { runTimesOf } from "./run_times.ts";

const NODE = { id: "n", name: "n", type: "Pod", phase: "Succeeded", templateName: "db" } as NodeStatus;

function run(more: Partial<Workflow["spec"]>, startedAt?: string): Workflow {
  return { metadata: { name: "w" }, spec: { entrypoint: "main", ...more }, status: { startedAt } } as Workflow;
}

Deno.test("runTimesOf: a running workflow ends now, and one that has not started has no times", () => {
  assertEquals(runTimesOf(run({}), 5), undefined);
  const { startedAt, finishedAt } = runTimesOf(run({}, "1970-01-01T00:00:01Z"), 5_000)!;
  assertEquals([startedAt, finishedAt], [1_000, 5_000]);
});

Deno.test("runTimesOf: recognizes daemons by template, because finished nodes are not marked", () => {
  const startedAt = "1970-01-01T00:00:01Z";
  const templates = [{ name: "db", daemon: true, container: { image: "db" } }, { name: "work" }];
  const { isDaemon } = runTimesOf(run({ templates }, startedAt), 5_000)!;
  assertEquals([isDaemon?.(NODE), isDaemon?.({ ...NODE, templateName: "work" })], [true, false]);
  assertEquals(runTimesOf(run({ templates: [{ name: "work" }] }, startedAt), 5_000)!.isDaemon, undefined);
});
