import { assertEquals } from "@std/assert";
import { runToEnd } from "../run_to_end.ts";
import type { PhaseFamily } from "../phase.ts";
import { selectByFamily } from "./select_by_family.ts";

function counts(families: Readonly<Partial<Record<PhaseFamily, number>>>, max: number): Record<string, number> {
  const parts = Object.entries(families).flatMap(([family, count]) =>
    Array<PhaseFamily>(count).fill(family as PhaseFamily)
  );
  return Object.fromEntries(
    [...runToEnd(selectByFamily(parts, (family) => family, max))].map(([family, members]) => [family, members.length]),
  );
}

Deno.test("selectByFamily: keeps everything that fits", () => {
  assertEquals(counts({ failed: 30, done: 70 }, 100), { failed: 30, done: 70 });
});

Deno.test("selectByFamily: keeps three failed nodes among fifty thousand", () => {
  const { failed, done = 0 } = counts({ failed: 3, done: 50_000 }, 4_000);
  assertEquals([failed, done > 3_500 && done <= 4_000], [3, true]);
});

Deno.test("selectByFamily: keeps at least one part of each family", () => {
  assertEquals(Object.keys(counts({ done: 50_000, works: 1, idle: 2 }, 4_000)).sort(), ["done", "idle", "works"]);
});

Deno.test("selectByFamily: leaves space for the rest if nearly all failed", () => {
  const { failed = 0, done } = counts({ failed: 50_000, done: 10 }, 4_000);
  assertEquals([failed <= 2_000 && failed > 1_500, done], [true, 10]);
});
