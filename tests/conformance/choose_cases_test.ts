import { assertEquals } from "@std/assert";
import { WHOLE } from "../../scripts/share.ts";
import { chooseCases } from "./choose_cases.ts";

const CASES = ["gc/pod-gone", "gc/ttl-zero", "gc/other", "dag/a", "dag/b", "dag/c", "dag/d", "steps/a.b", "steps/axb"]
  .map((id) => ({ id, area: id.split("/")[0]! }));

Deno.test("chooseCases: accepts areas, IDs and globs, in the order of the suite", () => {
  assertEquals(chooseCases(CASES, ["dag,gc/pod-*", "steps/a.b"], WHOLE).chosen, [
    "gc/pod-gone",
    "dag/a",
    "dag/b",
    "dag/c",
    "dag/d",
    "steps/a.b",
  ]);
});

Deno.test("chooseCases: each case is in one share, whatever else is chosen", () => {
  const shares = [1, 2, 3].map((number) => ({ number, of: 3 }));
  const all = shares.map((share) => chooseCases(CASES, ["gc", "dag", "steps"], share).chosen);
  assertEquals(all.flat().sort(), CASES.map(({ id }) => id).sort());
  for (const [index, share] of shares.entries()) {
    const { chosen, candidates } = chooseCases(CASES, ["dag"], share);
    assertEquals(chosen, all[index]!.filter((id) => id.startsWith("dag/")));
    assertEquals(candidates, 4);
  }
});
