/** Actions on many runs. */
import { assertEquals } from "@std/assert";
import type { Workflow } from "../../lib/api/mod.ts";
import { chosenRuns, inTurns, meantBy, selectedAfter, summaryOf } from "./bulk.ts";
import { knownAfter } from "./known_runs.ts";
import { rowsOf, type RunRows } from "./run_list.ts";

function run(uid: string, phase: string, spec = {}): Workflow {
  return { metadata: { name: uid, uid }, spec, status: { phase } } as unknown as Workflow;
}

const RUNS = [run("f", "Failed"), run("r", "Running"), run("h", "Running", { suspend: true }), run("s", "Succeeded")];

Deno.test("an action means only the runs that it can do something to", () => {
  const names = (verb: Parameters<typeof meantBy>[0]) => meantBy(verb, RUNS).map(({ metadata }) => metadata.name);
  assertEquals(names("retry"), ["f"]);
  assertEquals(names("suspend"), ["r"]);
  assertEquals(names("stop"), ["r", "h"]);
  assertEquals(names("delete"), ["f", "r", "h", "s"]);
});

Deno.test("runs that were refused stay selected, with the server's words", () => {
  const [f, r] = RUNS as [Workflow, Workflow];
  const outcomes = [{ run: f, refusal: "not allowed" }, { run: r }];
  assertEquals(summaryOf("stop", outcomes), {
    text: "Stopped 1; 1 refused",
    refused: [{ words: "not allowed", names: ["f"], more: 0 }],
    others: 0,
  });
  assertEquals([...selectedAfter(new Set(["f", "r", "ticked meanwhile"]), outcomes)], ["f", "ticked meanwhile"]);
});

Deno.test("ten thousand refusals with the same words are one, with the first ten names", () => {
  const outcomes = Array.from({ length: 10_000 }, (_, at) => ({
    run: run(`etl-${at}`, "Failed"),
    refusal: `workflows "etl-${at}" is forbidden`,
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

Deno.test("of refusals that all differ ten are told, the others are counted", () => {
  const outcomes = Array.from(
    { length: 25 },
    (_, at) => ({ run: run(`etl-${at}`, "Failed"), refusal: `reason ${at}` }),
  );
  const { refused, others } = summaryOf("delete", outcomes);
  assertEquals([refused.length, refused[0], others], [10, { words: "reason 0", names: ["etl-0"], more: 0 }, 15]);
});

/** A run that began so many seconds after another. */
function begun(uid: string, second: number, phase = "Failed"): Workflow {
  const startedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  return { metadata: { name: uid, uid }, spec: {}, status: { phase, startedAt } } as unknown as Workflow;
}

const shown = (rows: readonly Workflow[], offset = 0): RunRows =>
  rowsOf({ items: rows, total: 10 }, { limit: 3, offset });

Deno.test("a run that left the filter is known no more; one that newer runs moved out of the window is", () => {
  const [d, c, b, a] = [begun("d", 4), begun("c", 3), begun("b", 2), begun("a", 1)];
  const known = new Map([["c", c], ["a", a]]);
  const selected = new Set(["c", "a"]);
  const after = (now: readonly Workflow[]) => [
    ...knownAfter(known, selected, shown([c, b, a]), shown(now)).keys(),
  ];
  assertEquals(after([d, c, b]), ["c", "a"]);
  assertEquals(after([d, b, a]), ["a"]);
  assertEquals(after([d, c]), ["c"]);
  assertEquals([...knownAfter(known, selected, shown([c, b, a]), shown([d], 3)).keys()], ["c", "a"]);
});

Deno.test("what is selected no more is forgotten, and what is shown is known as it is", () => {
  const rows = shown([begun("b", 2, "Running")]);
  const known = new Map([["b", begun("b", 2)], ["a", begun("a", 1)]]);
  const after = knownAfter(known, new Set(["b"]), rows, rows);
  assertEquals([...after].map(([key, { status }]) => [key, status?.phase]), [["b", "Running"]]);
});

Deno.test("runs beyond the window stay selected; where the window shows all, those that left it are gone", () => {
  const [f, r, h] = RUNS as [Workflow, Workflow, Workflow];
  const names = (total: number) =>
    chosenRuns(new Set(["f", "h"]), [f, r], total, [f, h]).map(({ metadata }) => metadata.name);
  assertEquals(names(3), ["f", "h"]);
  assertEquals(names(2), ["f"]);
});

Deno.test("inTurns() has no more than so many under way, and keeps the order", async () => {
  let underWay = 0;
  let most = 0;
  const counts: number[] = [];
  const act = async (item: number) => {
    most = Math.max(most, ++underWay);
    for (let rest = item % 3; rest > 0; rest--) await Promise.resolve();
    underWay--;
    return item * 2;
  };
  const results = await inTurns([1, 2, 3, 4, 5, 6, 7], 3, act, (count) => counts.push(count));
  assertEquals(results, [2, 4, 6, 8, 10, 12, 14]);
  assertEquals([most, counts], [3, [1, 2, 3, 4, 5, 6, 7]]);
});
