import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { mapConcurrently, runsForAction, selectedRuns, selectionAfter, summaryOf, undoActionOf } from "./bulk.ts";

function run(uid: string, phase: string, spec = {}): Workflow {
  return { metadata: { name: uid, uid }, spec, status: { phase } } as unknown as Workflow;
}

const RUNS = [run("f", "Failed"), run("r", "Running"), run("h", "Running", { suspend: true }), run("s", "Succeeded")];

Deno.test("runsForAction: an action applies only to runs in a suitable state", () => {
  const names = (verb: Parameters<typeof runsForAction>[0]) =>
    runsForAction(verb, RUNS).map(({ metadata }) => metadata.name);
  assertEquals(names("retry"), ["f"]);
  assertEquals(names("suspend"), ["r"]);
  assertEquals(names("stop"), ["r", "h"]);
  assertEquals(names("delete"), ["f", "r", "h", "s"]);
});

Deno.test("undoActionOf: undo resumes suspended runs and suspends resumed ones, except those that were refused", () => {
  const [f, r, h] = RUNS as [Workflow, Workflow, Workflow];
  assertEquals(undoActionOf("suspend", [{ run: r }, { run: f, refusal: "no" }]), { verb: "resume", runs: [r] });
  assertEquals(undoActionOf("resume", [{ run: r }, { run: h }]), { verb: "suspend", runs: [h] });
  assertEquals(undoActionOf("resume", [{ run: r }]), undefined);
  assertEquals(undoActionOf("stop", [{ run: r }]), undefined);
});

Deno.test("summaryOf: refused runs stay selected and show the server's message", () => {
  const [f, r] = RUNS as [Workflow, Workflow];
  const outcomes = [{ run: f, refusal: "not allowed" }, { run: r }];
  assertEquals(summaryOf("stop", outcomes), {
    text: "Stopped 1; 1 refused",
    refused: [{ words: "not allowed", names: ["f"], more: 0 }],
    others: 0,
  });
  assertEquals([...selectionAfter(new Set(["f", "r", "ticked meanwhile"]), outcomes)], ["f", "ticked meanwhile"]);
});

Deno.test("summaryOf: ten thousand refusals with the same message are one group with ten names", () => {
  const outcomes = Array.from({ length: 10_000 }, (_, index) => ({
    run: run(`etl-${index}`, "Failed"),
    refusal: `workflows "etl-${index}" is forbidden`,
  }));
  const { refused, others } = summaryOf("delete", outcomes);
  assertEquals([refused.length, refused[0]?.words, refused[0]?.names.length, refused[0]?.more, others], [
    1,
    'workflows "…" is forbidden',
    10,
    9_990,
    0,
  ]);
});

Deno.test("summaryOf: of refusals with different messages, ten are listed and the rest is counted", () => {
  const outcomes = Array.from(
    { length: 25 },
    (_, index) => ({ run: run(`etl-${index}`, "Failed"), refusal: `reason ${index}` }),
  );
  const { refused, others } = summaryOf("delete", outcomes);
  assertEquals([refused.length, refused[0], others], [10, { words: "reason 0", names: ["etl-0"], more: 0 }, 15]);
});

Deno.test("selectedRuns: keeps runs of other pages, unless the page shows the whole list", () => {
  const [f, r, h] = RUNS as [Workflow, Workflow, Workflow];
  const names = (total: number) =>
    selectedRuns(new Set(["f", "h"]), [f, r], total, [f, h]).map(({ metadata }) => metadata.name);
  assertEquals(names(3), ["f", "h"]);
  assertEquals(names(2), ["f"]);
});

Deno.test("mapConcurrently: limits concurrency and keeps the order", async () => {
  let underWay = 0;
  let max = 0;
  const counts: number[] = [];
  const act = async (item: number) => {
    max = Math.max(max, ++underWay);
    for (let rest = item % 3; rest > 0; rest--) await Promise.resolve();
    underWay--;
    return item * 2;
  };
  const results = await mapConcurrently([1, 2, 3, 4, 5, 6, 7], 3, act, (count) => counts.push(count));
  assertEquals(results, [2, 4, 6, 8, 10, 12, 14]);
  assertEquals([max, counts], [3, [1, 2, 3, 4, 5, 6, 7]]);
});
