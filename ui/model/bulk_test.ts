/** Actions on many runs. */
import { assertEquals } from "@std/assert";
import type { Workflow } from "../../lib/api/mod.ts";
import { chosenRuns, inTurns, meantBy, summaryOf } from "./bulk.ts";

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
  const summary = summaryOf("stop", [{ run: f, refusal: "not allowed" }, { run: r }]);
  assertEquals([summary.text, [...summary.stillSelected]], ["Stopped 1; 1 refused", ["f"]]);
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
