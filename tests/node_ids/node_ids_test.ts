import { assert, assertEquals } from "@std/assert";
import { checkIds } from "./check.ts";

/** A part of the seeds; `main.ts` checks all. */
const SEEDS = 4;

Deno.test("node IDs: no two of 100,000 names in a workflow share one, also after a restart", () => {
  const checked = Array.from({ length: SEEDS }, (_, seed) => checkIds(seed + 1));
  assertEquals(checked.flatMap(({ problems }) => problems), []);
  assert(checked.some(({ wider }) => wider > 0), "no two names shared a hash, so nothing was shown");
});
