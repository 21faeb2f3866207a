/** A share of the cost curves, which differs for each commit; `deno task hostile` measures all of them. */
import { assertEquals } from "@std/assert";
import { isInShare, shareOfHead } from "../../../scripts/share.ts";
import { costCurve } from "./cost_curve.ts";
import { curves, ENTRIES } from "./entries.ts";

const share = await shareOfHead(64);

for (const { name, entry, shape } of curves().filter(({ name }) => isInShare(name, share))) {
  Deno.test(`cost: CPU time and memory grow no faster than the text: ${name}`, () => {
    assertEquals(costCurve(entry, shape).problem, undefined);
  });
}

Deno.test("cost: YAML and lint are tested with more than forty shapes each", () => {
  for (const name of ["YAML", "lint"]) assertEquals(Object.keys(ENTRIES[name]!.shapes).length > 40, true);
});
