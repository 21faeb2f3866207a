import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { updateKnownRuns } from "./known_runs.ts";
import { rowsOf, type RunRows } from "./run_list.ts";

/** A run that started the given number of seconds after the first. */
function begun(uid: string, second: number, phase = "Failed"): Workflow {
  const startedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  return { metadata: { name: uid, uid }, spec: {}, status: { phase, startedAt } } as unknown as Workflow;
}

const shown = (rows: readonly Workflow[], offset = 0): RunRows =>
  rowsOf({ items: rows, total: 10 }, { limit: 3, offset });

Deno.test("updateKnownRuns: forgets a run that no longer matches the filter, and keeps one that moved to another page", () => {
  const [d, c, b, a] = [begun("d", 4), begun("c", 3), begun("b", 2), begun("a", 1)];
  const known = new Map([["c", c], ["a", a]]);
  const selected = new Set(["c", "a"]);
  const after = (now: readonly Workflow[]) => [
    ...updateKnownRuns(known, selected, shown([c, b, a]), shown(now)).keys(),
  ];
  assertEquals(after([d, c, b]), ["c", "a"]);
  assertEquals(after([d, b, a]), ["a"]);
  assertEquals(after([d, c]), ["c"]);
  assertEquals([...updateKnownRuns(known, selected, shown([c, b, a]), shown([d], 3)).keys()], ["c", "a"]);
});

Deno.test("updateKnownRuns: forgets runs that are not selected, and updates shown ones", () => {
  const rows = shown([begun("b", 2, "Running")]);
  const known = new Map([["b", begun("b", 2)], ["a", begun("a", 1)]]);
  const after = updateKnownRuns(known, new Set(["b"]), rows, rows);
  assertEquals([...after].map(([key, { status }]) => [key, status?.phase]), [["b", "Running"]]);
});
